import type { GoodTrafficRequest } from './good-traffic.ts'
import type { Judge } from './rules.ts'
import type { RequestWriter } from './wire-case.ts'

/** A server, and what is right for it. */
export interface WireSubject {
  readonly url: URL
  readonly writer: RequestWriter
  readonly judge: Judge
  /** Secrets, and the shell variable that replaces each. */
  readonly secrets: Readonly<Record<string, string>>
  /** What another client sends beside the cases. */
  readonly good: readonly GoodTrafficRequest[]
}
