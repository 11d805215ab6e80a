/**
 * The call certainly did not reach the operator: no connection, an open circuit breaker, no slot within the rate
 * limit. Its order may go out again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** The call went out, and no complete reply came back: nobody knows whether it arrived. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}
