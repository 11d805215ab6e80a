/**
 * The call certainly did not reach the operator: no connection, a closed circuit, no turn within the limit of rate. An
 * order in it may go out again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** It went out, and no whole answer came back: whether it arrived nobody knows. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}
