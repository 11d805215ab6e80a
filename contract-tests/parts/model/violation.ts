/** A rule that the server broke. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly rule: string
  /** A shell line that reproduces it; absent when no single request does. */
  readonly curl: string | undefined

  constructor(rule: string, what: string, curl?: string) {
    super(what)
    this.rule = rule
    this.curl = curl
  }
}

/** Counts the rules that are checked against the server. */
export class Rules {
  #checks = 0
  readonly #names = new Set<string>()

  get checks(): number {
    return this.#checks
  }

  get names(): readonly string[] {
    return [...this.#names]
  }

  /** @param what expected and actual value, used when the rule is broken; @throws Violation */
  hold(rule: string, holds: boolean, what: string, curl?: string): void {
    this.#checks += 1
    this.#names.add(rule)
    if (!holds) throw new Violation(rule, what, curl)
  }
}
