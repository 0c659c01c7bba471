/* The longest sum that is taken as the specification writes it, in order and with every step rounded to its type; a longer one may be taken otherwise, and of floats
 * of 16 bits or fewer it is rounded once (reference/apply/wide.h). */
#ifndef HLO_NUMBERS_SHORT_SUM_H
#define HLO_NUMBERS_SHORT_SUM_H

enum { HLO_SHORT_SUM = 16 }; /* terms; implementations of pairwise summation add blocks of about this size in order, too */

#endif
