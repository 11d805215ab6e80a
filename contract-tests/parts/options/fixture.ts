import { freshStart, runStamp } from '../../driver/fresh-start.ts'
import type { Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { createHold, type Hold } from '../../driver/hold.ts'
import type { Merchant } from '../../driver/merchant.ts'
import { createFindings, type Findings } from '../../driver/findings.ts'

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
  readonly hold: Hold
}

/** Account numbers of one prefix and one ending. */
const ACCOUNTS = 10_000

export function createOptionsFixture(target: Target, seed: number): OptionsFixture {
  const { url, publicKey, secretKey, own } = target
  const findings = createFindings()
  const stamp = runStamp(target, seed)
  const run = own ? seed % 1_000_000 : Date.now() % 1_000_000_000
  const start = freshStart(target, seed, ACCOUNTS)
  const used = new Map<string, number>()
  let counter = 0
  return {
    target,
    merchant: { name: 'the first merchant', letter: 'A', url, publicKey, secretKey },
    findings,
    skippedChecks: new Set(),
    serial: () => run + counter++,
    accountSerial(code) {
      const count = used.get(code) ?? 0
      used.set(code, count + 1)
      return start + count
    },
    reference: (serial) => `OPTIONS-${stamp}-${serial - run}`,
    hold: createHold(target, stamp, findings),
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
