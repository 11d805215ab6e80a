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
  /** Of a reply that breaks the contract. */
  readonly status: number | undefined

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options)
    this.status = status
  }
}

sameAcrossCopies(NotSent, 'NotSent')
sameAcrossCopies(NoAnswer, 'NoAnswer')

/**
 * A rail package (`rail-package.ts`) brings its own copy of a class: from here on, `instanceof` holds for the errors of
 * every copy.
 */
export function sameAcrossCopies(known: abstract new (...given: never[]) => Error, name: string): void {
  const brand = Symbol.for(`malipo.${name}`)
  Object.defineProperty(known.prototype, brand, { value: true })
  Object.defineProperty(known, Symbol.hasInstance, {
    value(this: typeof known, error: unknown): boolean {
      if (typeof error !== 'object' || error === null) return false
      return this === known ? brand in error : Object.prototype.isPrototypeOf.call(this.prototype as object, error)
    },
  })
}
