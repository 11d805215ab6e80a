import type { Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { createMerchant, type Merchant } from '../apart/merchant.ts'
import { storyLine, type FreshValues } from '../apart/story.ts'
import { createFindings, type Findings } from '../receiver/findings.ts'

/** What all checks of the part share. */
export interface OptionsFixture {
  readonly target: Target
  readonly merchant: Merchant
  readonly findings: Findings
  /** What this server did not let the part try, in a few words. */
  readonly leftOut: Set<string>
  /** Currencies in which something wrong was told already: that their wallets differ too is no news. */
  readonly spoiled: Set<string>
  /** Another number at each call, for references and account numbers. */
  serial(): number
  reference(serial: number): string
  /** One rule, and what shows it. `fault` says how it was broken, and false that it was kept. */
  hold(
    about: string,
    rule: string,
    fault: string | false,
    subject: string,
    requests?: readonly WireRequest[],
    fresh?: FreshValues,
  ): void
}

export function createTill(target: Target, seed: number): OptionsFixture {
  const { url, publicKey, secretKey, own } = target
  const findings = createFindings()
  // A server of somebody else keeps its references for ever.
  const run = own ? seed % 1_000_000 : Date.now() % 1_000_000_000
  let counter = 0
  return {
    target,
    merchant: createMerchant(url, { name: 'the first merchant', letter: 'A', publicKey, secretKey }),
    findings,
    leftOut: new Set(),
    spoiled: new Set(),
    serial: () => run + counter++,
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

/** Does the same with each, a few at a time. @returns the results in the order of the items */
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
