import { freshStart } from '../../harness/fresh-start.ts'
import type { Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { createMerchant, type Merchant } from '../apart/merchant.ts'
import { storyLine, type FreshValues } from '../apart/story.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'

/** The state that all checks of the part share. */
export interface OptionsFixture {
  readonly target: Target
  readonly merchant: Merchant
  readonly findings: Findings
  /** Checks that this server made impossible, as short phrases. */
  readonly skippedChecks: Set<string>
  /** A new number at each call, for references. */
  serial(): number
  /** A new number at each call, for account numbers of this option: each option has daily limits of its own. */
  accountSerial(code: string): number
  reference(serial: number): string
  /** Checks one rule, and names its evidence. `fault` says how it was broken; false: it holds. */
  hold(
    about: string,
    rule: string,
    fault: string | false,
    subject: string,
    requests?: readonly WireRequest[],
    fresh?: FreshValues,
  ): void
}

/** Account numbers of one prefix and one ending. */
const ACCOUNTS = 10_000

export function createOptionsFixture(target: Target, seed: number): OptionsFixture {
  const { url, publicKey, secretKey, own } = target
  const findings = createFindings()
  // A third party's server keeps its references for ever.
  const run = own ? seed % 1_000_000 : Date.now() % 1_000_000_000
  const start = freshStart(target, seed, ACCOUNTS)
  const used = new Map<string, number>()
  let counter = 0
  return {
    target,
    merchant: createMerchant(url, { name: 'the first merchant', letter: 'A', publicKey, secretKey }),
    findings,
    skippedChecks: new Set(),
    serial: () => run + counter++,
    accountSerial(code) {
      const count = used.get(code) ?? 0
      used.set(code, count + 1)
      return start + count
    },
    reference: (serial) => `OPTIONS-${run}-${serial - run}`,
    hold: (about, rule, fault, subject, requests, fresh) =>
      findings.hold(
        about,
        1,
        fault === false ? [] : [{ rule, what: fault }],
        subject,
        requests && { curl: storyLine({ url, keys: { publicKey, secretKey } }, requests, fresh) },
      ),
  }
}

const AT_ONCE = 8

/** Processes each item, a few concurrently. @returns the results in the order of the items */
export async function forEachOf<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) results[index] = await run(item)
    }),
  )
  return results
}

export const textOf = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')
