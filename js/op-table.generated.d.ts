// Made by js/build/types.js from the core's tables.
import type { Op, Operand, BroadcastOptions } from './builder-core.js';
import type { ShapeLike } from './shape.js';

/** PARSE: the text is not what the grammar allows; the message holds line, column and a caret */
/** UNKNOWN_OP: an operation of that name does not exist */
/** SHAPE: shapes, element types or attributes break a rule of the operation */
/** VERIFY: the module as a whole is not well formed */
/** UNSUPPORTED: legal, but not something this runtime can do; the message names it */
/** INPUT: an input of a run has the wrong count, size or type */
/** ARGUMENT: an argument of an API call is out of its range */
/** OUT_OF_MEMORY: WebAssembly memory could not grow, or an array is larger than it can be */
/** LIMIT: a stated limit is exceeded: nesting, size, steps */
/** DEADLOCK: every replica waits; the message says who waits for whom */
/** ABORTED: stopped by an abort signal */
/** CUSTOM_CALL: a registered custom call threw, or returned what it may not */
/** CHECK: a check of a conformance case does not hold */
/** DISPOSED: the object was disposed of before this call */
/** INTERNAL: a fault of WebHLO itself; please report it */
export type HloErrorCode = 'PARSE' | 'UNKNOWN_OP' | 'SHAPE' | 'VERIFY' | 'UNSUPPORTED' | 'INPUT' | 'ARGUMENT' | 'OUT_OF_MEMORY' | 'LIMIT' | 'DEADLOCK' | 'ABORTED' | 'CUSTOM_CALL' | 'CHECK' | 'DISPOSED' | 'INTERNAL';

export type ElementType = 'pred' | 's2' | 's4' | 's8' | 's16' | 's32' | 's64' | 'u2' | 'u4' | 'u8' | 'u16' | 'u32' | 'u64' | 'f4e2m1fn' | 'f6e2m3fn' | 'f6e3m2fn' | 'f8e3m4' | 'f8e4m3' | 'f8e4m3fn' | 'f8e4m3b11fnuz' | 'f8e4m3fnuz' | 'f8e5m2' | 'f8e5m2fnuz' | 'f8e8m0fnu' | 'bf16' | 'f16' | 'f32' | 'f64' | 'c64' | 'c128';

export interface CommonOptions {
  /** the instruction's name */
  name?: string;
  /** the declared shape, which must be what inference gives */
  shape?: ShapeLike;
  /** kept and printed back */
  parameterReplication?: string;
  /** kept and printed back */
  sharding?: string;
  /** kept and printed back */
  frontendAttributes?: string;
  /** instructions that must run before this one */
  controlPredecessors?: readonly Op[];
  /** kept and printed back */
  statistics?: string;
  /** kept and printed back */
  origin?: string;
  /** kept and printed back */
  metadata?: string;
  /** kept and printed back */
  backendConfig?: string;
}

export interface AbsOptions extends CommonOptions {
}

export interface AcosOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface AcoshOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface AsinOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface AsinhOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface AsinAcosKernelOptions extends CommonOptions {
}

export interface AtanOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface AtanhOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface BesselI1eOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface CbrtOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface CeilOptions extends CommonOptions {
}

export interface CoshOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface CosineOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface CountLeadingZerosOptions extends CommonOptions {
}

export interface DigammaOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface ErfOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface ErfInvOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface ErfcOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface ExponentialOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface ExponentialMinusOneOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface FloorOptions extends CommonOptions {
}

export interface ImagOptions extends CommonOptions {
}

export interface IsFiniteOptions extends CommonOptions {
}

export interface LgammaOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface LogOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface LogPlusOneOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface LogisticOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface NegateOptions extends CommonOptions {
}

export interface NotOptions extends CommonOptions {
}

export interface PopcntOptions extends CommonOptions {
}

export interface RealOptions extends CommonOptions {
}

export interface RoundNearestAfzOptions extends CommonOptions {
}

export interface RoundNearestEvenOptions extends CommonOptions {
}

export interface RsqrtOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface SignOptions extends CommonOptions {
}

export interface SineOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface SinhOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface SqrtOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface SquareOptions extends CommonOptions {
}

export interface TanOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface TanhOptions extends CommonOptions {
  /** the accuracy asked for */
  resultAccuracy?: string;
}

export interface StochasticConvertOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
}

export interface UniformQuantizeOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** storage and expressed type, dimension, and scale:zero_point: {s8:f32:0, {0.1:-30,0.5:-20}} */
  quantization: string;
}

export interface UniformDequantizeOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** storage and expressed type, dimension, and scale:zero_point: {s8:f32:0, {0.1:-30,0.5:-20}} */
  quantization: string;
}

export interface RngOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** rng_uniform or rng_normal */
  distribution: 'rng_uniform' | 'rng_normal';
}

export interface RngGetAndUpdateStateOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** how far the state advances */
  delta: number;
}

export interface ReplicaIdOptions extends CommonOptions {
}

export interface PartitionIdOptions extends CommonOptions {
}

export interface DynamicReshapeOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
}

export interface CopyOptions extends CommonOptions {
}

export interface BitcastOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
}

export interface RaggedDotOptions extends CommonOptions {
  /** batch dimensions of lhs */
  lhsBatchDims?: readonly number[];
  /** contracting dimensions of lhs */
  lhsContractingDims?: readonly number[];
  /** batch dimensions of rhs */
  rhsBatchDims?: readonly number[];
  /** contracting dimensions of rhs */
  rhsContractingDims?: readonly number[];
  /** the ragged dimension of lhs */
  lhsRaggedDims: readonly number[];
  /** the group dimension of rhs */
  rhsGroupDims?: readonly number[];
  /** precision asked of each operand; results here are always at full precision */
  operandPrecision?: string;
}

export interface ConvolutionOptions extends CommonOptions {
  /** size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal of each dimension */
  window?: string | readonly import('./attributes.js').WindowDimension[];
  /** which dimension is what: b01f_01io->b01f */
  dimLabels: import('./attributes.js').ConvolutionDimensions;
  /** number of groups that features are split into */
  featureGroupCount?: number;
  /** number of groups that the batch is split into */
  batchGroupCount?: number;
  /** which pass of training it stands for; kept and printed back */
  convolutionKind?: string;
  /** precision asked of each operand; results here are always at full precision */
  operandPrecision?: string;
}

export interface ScanOptions extends CommonOptions {
  /** dimension numbers */
  dimensions: readonly number[];
  /** how many results are carried */
  numCarries: number;
  /** scan from the end */
  isReverse?: boolean;
  /** a promise that the computation is associative */
  isAssociative?: boolean;
  /** the computation to apply */
  toApply: import('./module.js').Computation;
}

export interface TopkOptions extends CommonOptions {
  /** how many elements are kept */
  k: number;
  /** the largest rather than the smallest are kept */
  largest?: boolean;
}

export interface AfterAllOptions extends CommonOptions {
}

export interface AddDependencyOptions extends CommonOptions {
}

export interface OptBarrierOptions extends CommonOptions {
}

export interface DomainOptions extends CommonOptions {
  /** kept and printed back */
  domain: string;
}

export interface FusionOptions extends CommonOptions {
  /** kLoop, kInput, kOutput or kCustom */
  kind: 'kLoop' | 'kInput' | 'kOutput' | 'kCustom';
  /** results that share an operand's buffer */
  outputToOperandAliasing?: string;
  /** the computation that is fused or run */
  calls: import('./module.js').Computation;
}

export interface AsyncStartOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** results that share an operand's buffer */
  outputToOperandAliasing?: string;
  /** the thread asked for */
  asyncExecutionThread?: string;
  /** the computation that is fused or run */
  calls?: import('./module.js').Computation;
}

export interface AsyncUpdateOptions extends CommonOptions {
  /** the thread asked for */
  asyncExecutionThread?: string;
  /** the computation that is fused or run */
  calls?: import('./module.js').Computation;
}

export interface AsyncDoneOptions extends CommonOptions {
  /** the thread asked for */
  asyncExecutionThread?: string;
  /** the computation that is fused or run */
  calls?: import('./module.js').Computation;
}

export interface RaggedAllToAllOptions extends CommonOptions {
  /** the channel; across partitions where given */
  channelId?: number;
  /** which replicas work together: {{0,1},{2,3}} or [2,2]<=[4] */
  replicaGroups?: string | readonly (readonly number[])[];
}

export interface AllGatherStartOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** the channel; across partitions where given */
  channelId?: number;
  /** which replicas work together: {{0,1},{2,3}} or [2,2]<=[4] */
  replicaGroups?: string | readonly (readonly number[])[];
  /** layouts may not change */
  constrainLayout?: boolean;
  /** dimension numbers */
  dimensions: readonly number[];
  /** groups hold flattened device ids */
  useGlobalDeviceIds?: boolean;
}

export interface AllGatherDoneOptions extends CommonOptions {
}

export interface AllReduceStartOptions extends CommonOptions {
  /** the channel; across partitions where given */
  channelId?: number;
  /** which replicas work together: {{0,1},{2,3}} or [2,2]<=[4] */
  replicaGroups?: string | readonly (readonly number[])[];
  /** layouts may not change */
  constrainLayout?: boolean;
  /** groups hold flattened device ids */
  useGlobalDeviceIds?: boolean;
  /** how groups are read; follows from channel_id and use_global_device_ids; kept and printed back */
  mode?: 'cross_replica' | 'cross_partition' | 'cross_replica_and_partition' | 'flattened_id';
  /** the computation to apply */
  toApply: import('./module.js').Computation;
}

export interface AllReduceDoneOptions extends CommonOptions {
}

export interface CollectivePermuteStartOptions extends CommonOptions {
  /** the shape of the result */
  shape: ShapeLike;
  /** the channel; across partitions where given */
  channelId?: number;
  /** who sends to whom: {{0,1},{1,0}} */
  sourceTargetPairs: string | readonly (readonly number[])[];
  /** sizes of the slices that are sent in place */
  sliceSizes?: string | readonly (readonly number[])[];
}

export interface CollectivePermuteDoneOptions extends CommonOptions {
}

export interface CopyStartOptions extends CommonOptions {
  /** kept and printed back */
  crossProgramPrefetchIndex?: number;
}

export interface CopyDoneOptions extends CommonOptions {
}

export interface SendDoneOptions extends CommonOptions {
  /** the channel; across partitions where given */
  channelId?: number;
  /** to or from the host */
  isHostTransfer?: boolean;
}

export interface RecvDoneOptions extends CommonOptions {
  /** the channel; across partitions where given */
  channelId?: number;
  /** to or from the host */
  isHostTransfer?: boolean;
}

/** Operations whose builder methods follow from the table alone. */
export interface TableOperations {
  /** The absolute value of each element; of complex elements the modulus. */
  abs(operand: Operand, options?: AbsOptions): Op;
  /** The inverse cosine of each element. */
  acos(operand: Operand, options?: AcosOptions): Op;
  /** The inverse hyperbolic cosine of each element. */
  acosh(operand: Operand, options?: AcoshOptions): Op;
  /** The inverse sine of each element. */
  asin(operand: Operand, options?: AsinOptions): Op;
  /** The inverse hyperbolic sine of each element. */
  asinh(operand: Operand, options?: AsinhOptions): Op;
  /** The part that inverse sine and cosine of complex z have in common: re sqrt(1 - z^2) + i |im asin z|. */
  asinAcosKernel(operand: Operand, options?: AsinAcosKernelOptions): Op;
  /** The inverse tangent of each element. */
  atan(operand: Operand, options?: AtanOptions): Op;
  /** The inverse hyperbolic tangent of each element. */
  atanh(operand: Operand, options?: AtanhOptions): Op;
  /** exp(-|x|) times the modified Bessel function of order 1 of each element. */
  besselI1e(operand: Operand, options?: BesselI1eOptions): Op;
  /** The cube root of each element. */
  cbrt(operand: Operand, options?: CbrtOptions): Op;
  /** Each element rounded up to a whole number. */
  ceil(operand: Operand, options?: CeilOptions): Op;
  /** The hyperbolic cosine of each element. */
  cosh(operand: Operand, options?: CoshOptions): Op;
  /** The cosine of each element, in radians. */
  cosine(operand: Operand, options?: CosineOptions): Op;
  /** The cosine of each element, in radians. */
  cos(operand: Operand, options?: CosineOptions): Op;
  /** The number of leading zero bits of each element. */
  countLeadingZeros(operand: Operand, options?: CountLeadingZerosOptions): Op;
  /** The number of leading zero bits of each element. */
  clz(operand: Operand, options?: CountLeadingZerosOptions): Op;
  /** The logarithmic derivative of the gamma function at each element. */
  digamma(operand: Operand, options?: DigammaOptions): Op;
  /** The error function of each element. */
  erf(operand: Operand, options?: ErfOptions): Op;
  /** The inverse of the error function at each element. */
  erfInv(operand: Operand, options?: ErfInvOptions): Op;
  /** One minus the error function of each element, exact where that is small. */
  erfc(operand: Operand, options?: ErfcOptions): Op;
  /** e to the power of each element. */
  exponential(operand: Operand, options?: ExponentialOptions): Op;
  /** e to the power of each element. */
  exp(operand: Operand, options?: ExponentialOptions): Op;
  /** e to the power of each element, minus one, exact near zero. */
  exponentialMinusOne(operand: Operand, options?: ExponentialMinusOneOptions): Op;
  /** e to the power of each element, minus one, exact near zero. */
  expm1(operand: Operand, options?: ExponentialMinusOneOptions): Op;
  /** Each element rounded down to a whole number. */
  floor(operand: Operand, options?: FloorOptions): Op;
  /** The imaginary part of each element; zero for real ones. */
  imag(operand: Operand, options?: ImagOptions): Op;
  /** Whether each element is neither infinite nor NaN. */
  isFinite(operand: Operand, options?: IsFiniteOptions): Op;
  /** The logarithm of the absolute value of the gamma function at each element. */
  lgamma(operand: Operand, options?: LgammaOptions): Op;
  /** The natural logarithm of each element. */
  log(operand: Operand, options?: LogOptions): Op;
  /** The natural logarithm of one plus each element, exact near zero. */
  logPlusOne(operand: Operand, options?: LogPlusOneOptions): Op;
  /** The natural logarithm of one plus each element, exact near zero. */
  log1p(operand: Operand, options?: LogPlusOneOptions): Op;
  /** 1 / (1 + exp(-x)) of each element. */
  logistic(operand: Operand, options?: LogisticOptions): Op;
  /** 1 / (1 + exp(-x)) of each element. */
  sigmoid(operand: Operand, options?: LogisticOptions): Op;
  /** Each element with its sign changed. */
  negate(operand: Operand, options?: NegateOptions): Op;
  /** Each element with its sign changed. */
  neg(operand: Operand, options?: NegateOptions): Op;
  /** Logical not of pred, bitwise not of integers. */
  not(operand: Operand, options?: NotOptions): Op;
  /** Logical not of pred, bitwise not of integers. */
  logicalNot(operand: Operand, options?: NotOptions): Op;
  /** The number of one bits of each element. */
  popcnt(operand: Operand, options?: PopcntOptions): Op;
  /** The number of one bits of each element. */
  populationCount(operand: Operand, options?: PopcntOptions): Op;
  /** The real part of each element. */
  real(operand: Operand, options?: RealOptions): Op;
  /** Each element rounded to the nearest whole number, halves away from zero. */
  roundNearestAfz(operand: Operand, options?: RoundNearestAfzOptions): Op;
  /** Each element rounded to the nearest whole number, halves away from zero. */
  round(operand: Operand, options?: RoundNearestAfzOptions): Op;
  /** Each element rounded to the nearest whole number, halves to even. */
  roundNearestEven(operand: Operand, options?: RoundNearestEvenOptions): Op;
  /** One over the square root of each element. */
  rsqrt(operand: Operand, options?: RsqrtOptions): Op;
  /** The sign of each element: -1, 0 or 1; zeros keep their sign, NaN stays NaN; x/|x| for complex. */
  sign(operand: Operand, options?: SignOptions): Op;
  /** The sine of each element, in radians. */
  sine(operand: Operand, options?: SineOptions): Op;
  /** The sine of each element, in radians. */
  sin(operand: Operand, options?: SineOptions): Op;
  /** The hyperbolic sine of each element. */
  sinh(operand: Operand, options?: SinhOptions): Op;
  /** The square root of each element. */
  sqrt(operand: Operand, options?: SqrtOptions): Op;
  /** Each element times itself. */
  square(operand: Operand, options?: SquareOptions): Op;
  /** The tangent of each element, in radians. */
  tan(operand: Operand, options?: TanOptions): Op;
  /** The hyperbolic tangent of each element. */
  tanh(operand: Operand, options?: TanhOptions): Op;
  /** The sum of two arrays, element by element; of pred, logical or. */
  add(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** Logical and of pred, bitwise and of integers. */
  and(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** Logical and of pred, bitwise and of integers. */
  logicalAnd(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The angle of the point (x, y), in radians. */
  atan2(y: Operand, x: Operand, options?: BroadcastOptions): Op;
  /** Complex numbers from real and imaginary parts. */
  complex(real: Operand, imag: Operand, options?: BroadcastOptions): Op;
  /** The quotient; of integers rounded towards zero. */
  divide(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The quotient; of integers rounded towards zero. */
  div(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The greater of two elements; NaN wins; complex ones in lexicographic order. */
  maximum(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The greater of two elements; NaN wins; complex ones in lexicographic order. */
  max(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The lesser of two elements; NaN wins; complex ones in lexicographic order. */
  minimum(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The lesser of two elements; NaN wins; complex ones in lexicographic order. */
  min(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The product of two arrays, element by element; of pred, logical and. */
  multiply(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The product of two arrays, element by element; of pred, logical and. */
  mul(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The high half of the double-width product of integers. */
  mulhi(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The next representable value after x, in the direction of y. */
  nextAfter(x: Operand, y: Operand, options?: BroadcastOptions): Op;
  /** Logical or of pred, bitwise or of integers. */
  or(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** Logical or of pred, bitwise or of integers. */
  logicalOr(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The derivative of order n of the digamma function at x. */
  polygamma(n: Operand, x: Operand, options?: BroadcastOptions): Op;
  /** lhs to the power of rhs. */
  power(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** lhs to the power of rhs. */
  pow(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The remainder, with the sign of the dividend. */
  remainder(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The remainder, with the sign of the dividend. */
  rem(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** lhs shifted left by rhs bits; 0 when rhs is the width or more. */
  shiftLeft(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** lhs shifted left by rhs bits; 0 when rhs is the width or more. */
  shiftLeftLogical(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** lhs shifted right by rhs bits, copies of the sign shifted in. */
  shiftRightArithmetic(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** lhs shifted right by rhs bits, zeros shifted in. */
  shiftRightLogical(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The difference of two arrays, element by element. */
  subtract(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The difference of two arrays, element by element. */
  sub(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** Exclusive or, logical of pred, bitwise of integers. */
  xor(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** Exclusive or, logical of pred, bitwise of integers. */
  logicalXor(lhs: Operand, rhs: Operand, options?: BroadcastOptions): Op;
  /** The Hurwitz zeta function: the sum of (q + k)^-x over k = 0, 1, 2, ... */
  zeta(x: Operand, q: Operand, options?: BroadcastOptions): Op;
  /** Converts with stochastic rounding, the random bits given. */
  stochasticConvert(operand: Operand, random: Operand, options: StochasticConvertOptions): Op;
  /** Floating-point numbers as integers: round(x / scale + zero_point), within the storage range. */
  uniformQuantize(operand: Operand, options: UniformQuantizeOptions): Op;
  /** What integers stand for: (q - zero_point) * scale. */
  uniformDequantize(operand: Operand, options: UniformDequantizeOptions): Op;
  /** Random numbers of a distribution: uniform in [a, b), normal with mean and deviation. */
  rng(parameters: Operand | readonly Operand[], options: RngOptions): Op;
  /** The state of the global generator, advanced by delta. */
  rngGetAndUpdateState(options: RngGetAndUpdateStateOptions): Op;
  /** The number of this replica, u32. */
  replicaId(options?: ReplicaIdOptions): Op;
  /** The number of this partition, u32. */
  partitionId(options?: PartitionIdOptions): Op;
  /** A reshape whose sizes are computed, within the bounds of the declared shape. */
  dynamicReshape(operand: Operand, dimSizes: Operand | readonly Operand[], options: DynamicReshapeOptions): Op;
  /** The same value; the layout may change. */
  copy(operand: Operand, options?: CopyOptions): Op;
  /** The operand's bytes, read under another shape and layout. */
  bitcast(operand: Operand, options: BitcastOptions): Op;
  /** A dot in which groups of rows of one ragged dimension meet different right sides. */
  raggedDot(lhs: Operand, rhs: Operand, groupSizes: Operand, options: RaggedDotOptions): Op;
  /** Slides a window of weights over the spatial dimensions of lhs. */
  convolution(lhs: Operand, rhs: Operand, options: ConvolutionOptions): Op;
  /** Runs a computation along one dimension, carrying values from step to step. */
  scan(inputs: Operand | readonly Operand[], inits: Operand | readonly Operand[], options: ScanOptions): Op;
  /** The k largest (or smallest) elements of the last dimension, and their indices. */
  topk(operand: Operand, options: TopkOptions): Op;
  /** A token that follows all the given tokens. */
  afterAll(tokens: Operand | readonly Operand[], options?: AfterAllOptions): Op;
  /** The operand, once the token has been reached. */
  addDependency(operand: Operand, token: Operand, options?: AddDependencyOptions): Op;
  /** The operand; no optimisation moves across. */
  optBarrier(operand: Operand, options?: OptBarrierOptions): Op;
  /** The operand; no optimisation moves across. */
  optimizationBarrier(operand: Operand, options?: OptBarrierOptions): Op;
  /** The operand; marks where a sharding domain ends. */
  domain(operand: Operand, options: DomainOptions): Op;
  /** Runs a computation that a compiler has fused. */
  fusion(operands: Operand | readonly Operand[], options: FusionOptions): Op;
  /** Starts a computation. */
  asyncStart(operands: Operand | readonly Operand[], options: AsyncStartOptions): Op;
  /** Gives a started computation time to go on. */
  asyncUpdate(operand: Operand, options?: AsyncUpdateOptions): Op;
  /** Waits for a started computation and gives its result. */
  asyncDone(operand: Operand, options?: AsyncDoneOptions): Op;
  /** An all-to-all with parts of unequal, computed sizes. */
  raggedAllToAll(operand: Operand, output: Operand, inputOffsets: Operand, sendSizes: Operand, outputOffsets: Operand, recvSizes: Operand, options?: RaggedAllToAllOptions): Op;
  /** Starts an all-gather. */
  allGatherStart(operands: Operand | readonly Operand[], options: AllGatherStartOptions): Op;
  /** The result of a started all-gather. */
  allGatherDone(operand: Operand, options?: AllGatherDoneOptions): Op;
  /** Starts an all-reduce. */
  allReduceStart(operands: Operand | readonly Operand[], options: AllReduceStartOptions): Op;
  /** The result of a started all-reduce. */
  allReduceDone(operand: Operand, options?: AllReduceDoneOptions): Op;
  /** Starts a collective-permute. */
  collectivePermuteStart(operands: Operand | readonly Operand[], options: CollectivePermuteStartOptions): Op;
  /** The result of a started collective-permute. */
  collectivePermuteDone(operand: Operand, options?: CollectivePermuteDoneOptions): Op;
  /** Starts a copy. */
  copyStart(operand: Operand, options?: CopyStartOptions): Op;
  /** The result of a started copy. */
  copyDone(operand: Operand, options?: CopyDoneOptions): Op;
  /** Waits until a value was sent. */
  sendDone(operand: Operand, options?: SendDoneOptions): Op;
  /** Waits for a value and gives it. */
  recvDone(operand: Operand, options?: RecvDoneOptions): Op;
}
