import type { Contract } from '../../../openapi/reading/contract.ts'

/** The outcome of a test number: `undefined` where the page refers to another row for the message. */
interface Outcome {
  readonly collection: string | undefined
  readonly payout: string | undefined
}

/** The table "Test numbers" of the page "The sandbox", by the last three digits of an account. */
export function outcomesIn({ document }: Contract): ReadonlyMap<string, Outcome> {
  const page = document.tags?.find(({ name }) => name === 'sandbox')?.description ?? ''
  const [, table = ''] = page.split('## Test numbers')
  const rows = (table.split('\n#')[0] ?? '').split('\n').filter((line) => /^\| \d{3}\b/.test(line))
  return new Map(
    rows.flatMap((row) => {
      const [, digits = '', outcome = ''] = row.split('|')
      if (!outcome.includes('`FAILED`')) return []
      const [ofCollections = '', ofPayouts = ''] = outcome.split('of a payout')
      const collection = reasonIn(ofCollections)
      return digits.split(',').map((each) => [each.trim(), { collection, payout: reasonIn(ofPayouts) ?? collection }])
    }),
  )
}

/** Code that contains a space: code without one is a status. */
const reasonIn = (text: string): string | undefined =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code).find((code) => code?.includes(' '))
