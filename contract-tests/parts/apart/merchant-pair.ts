import { phoneNumber } from '../../harness/account-numbers.ts'
import type { Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'
import { createMerchant, verify, type Merchant } from './merchant.ts'
import { passing } from './steps.ts'
import { storyLine, type FreshValues } from './story.ts'

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
  hold(about: string, rule: string, fault: string | false, ...shown: Evidence | []): void
  line(...shown: Evidence): string
  /** Lets the server run its jobs until these payments are final, or nothing more happens. */
  settle(payments: readonly { readonly merchant: Merchant; readonly reference: string }[]): Promise<void>
}

type Evidence = readonly [requests: readonly WireRequest[], fresh?: FreshValues]

const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])

export function createPair(target: Target, other: NonNullable<Target['other']>, seed: number): MerchantPair {
  const { url, publicKey, secretKey, own } = target
  const first = createMerchant(url, { name: 'the first merchant', letter: 'A', publicKey, secretKey })
  const second = createMerchant(url, { ...other, name: 'the second merchant', letter: 'B' })
  const findings = createFindings()
  // A third party's server keeps its references for ever.
  const run = own ? seed % 1_000_000 : Date.now() % 1_000_000_000
  let counter = 0
  const line: MerchantPair['line'] = (requests, fresh) =>
    storyLine({ url, keys: { publicKey, secretKey, other } }, requests, fresh)
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
    reference: (of) => `APART-${run}-${of}-${counter++}`,
    phone: (ending) => phoneNumber('UGX', '77', run + counter++, ending),
    hold: (about, rule, fault, ...[requests, fresh]) =>
      findings.hold(
        about,
        1,
        fault === false ? [] : [{ rule, what: fault }],
        rule,
        requests && { curl: line(requests, fresh) },
      ),
    line,
    async settle(payments) {
      await passing(own, async () => {
        const answers = await Promise.all(payments.map(({ merchant, reference }) => verify(merchant, reference)))
        return answers.every(({ data }) => FINAL.has(String(data['transaction_status'])))
      })
    },
  }
}
