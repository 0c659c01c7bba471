/* The roots by which powers of e are computed: e^x = 2^(n/16) e^r with |r| <= ln 2 / 32. tests/unit/numbers/math_coefficients.py prints them. */
#ifndef HLO_NUMBERS_EXP_ROOTS_H
#define HLO_NUMBERS_EXP_ROOTS_H

/* 2^(i/16), and the error of rounding it, relative to it. */
static const struct {
  double root, rest;
} hlo_exp_roots[16] = {
    {0x1p+0, 0}, {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6cp-54}, {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a893p-54}, {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6cp-55}, {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafbp-56},
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54}, {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2229p-54},
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56}, {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
    {0x1.9c49182a3f09p+0, 0x1.1affc2b91ce27p-56}, {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3386p-55},
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56}, {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f1p-55}};

#endif
