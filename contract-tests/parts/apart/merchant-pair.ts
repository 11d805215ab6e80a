import { phoneNumber } from '../../driver/account-numbers.ts'
import type { Target } from '../../harness/part.ts'
import { createFindings, type Findings } from '../../driver/findings.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { verify, type Merchant } from '../../driver/merchant.ts'
import { passing } from '../../driver/clock.ts'
import { createHold } from '../../driver/hold.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { runStamp } from '../../driver/fresh-start.ts'

/** The two merchants, and the state that all checks of the part share. */
export interface MerchantPair {
  readonly target: Target
  readonly first: Merchant
  readonly second: Merchant
  /** Each merchant with the other one. */
  readonly ways: readonly (readonly [one: Merchant, other: Merchant])[]
  readonly findings: Findings
  /** Checks that this server or account made impossible, as short phrases. */
  readonly skippedChecks: Set<string>
  /** Owner of each payment, by internal reference. */
  readonly owners: Map<string, Merchant>
  /** A new reference at each call. */
  reference(of: string): string
  /** A new phone number of MTN Uganda at each call. @param ending a test number */
  phone(ending: string): string
  /** Checks one rule: `fault` says how it was broken; false: it holds. */
  hold(about: string, rule: string, fault: string | false, replies?: readonly ApiReply[]): void
  /** Lets the server run its jobs until these payments are final, or nothing more happens. */
  settle(payments: readonly { readonly merchant: Merchant; readonly reference: string }[]): Promise<void>
}

export function createPair(target: Target, other: NonNullable<Target['other']>, seed: number): MerchantPair {
  const { url, publicKey, secretKey, own } = target
  const first: Merchant = { name: 'the first merchant', letter: 'A', url, publicKey, secretKey }
  const second: Merchant = { ...other, name: 'the second merchant', letter: 'B', url }
  const findings = createFindings()
  const stamp = runStamp(target, seed)
  const run = own ? seed % 1_000_000 : Date.now() % 1_000_000_000
  let counter = 0
  const hold = createHold(target, stamp, findings)
  return {
    target,
    first,
    second,
    ways: [
      [first, second],
      [second, first],
    ],
    findings,
    skippedChecks: new Set(),
    owners: new Map(),
    reference: (of) => `APART-${stamp}-${of}-${counter++}`,
    phone: (ending) => phoneNumber('UGX', '77', run + counter++, ending),
    hold: (about, rule, fault, replies) => hold(about, rule, fault, rule, replies),
    async settle(payments) {
      await passing(own, async () => {
        const answers = await Promise.all(payments.map(({ merchant, reference }) => verify(merchant, reference)))
        return answers.every(({ data }) => isFinal(data))
      })
    },
  }
}
