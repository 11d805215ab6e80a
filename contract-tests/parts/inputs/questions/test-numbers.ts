import type { Contract } from '../../../../openapi/reading/contract.ts'
import type { Fields } from '../../../harness/json.ts'

/** What the page "The sandbox" says about a test number. */
export interface TestNumber {
  /** The last three digits of the account number. */
  readonly ending: string
  /** The states that a payment ends in, one after the other; PROCESSING: it does not end. */
  readonly states: readonly [string, ...string[]]
  /** How long it takes, where the page says so. */
  readonly seconds: number
}

/** The table "Test numbers" of the page "The sandbox". Empty for a contract without it. */
export function testNumbers({ document }: Pick<Contract, 'document'>): readonly TestNumber[] {
  const page = document.tags?.find(({ name }) => name === 'sandbox')?.description ?? ''
  const [, section = ''] = page.split('## Test numbers')
  const [table = ''] = section.split('\n#')
  return table
    .split('\n')
    .filter((line) => /^\| \d{3}\b/.test(line))
    .flatMap((line) => {
      const [, numbers = '', outcome = ''] = line.split('|')
      const [first = 'COMPLETED', ...later] = [...outcome.matchAll(/`(COMPLETED|FAILED|PROCESSING)`/g)].map(
        ([, state = '']) => state,
      )
      const [, seconds = '1'] = /after (\d+) seconds/.exec(outcome) ?? []
      return [...numbers.matchAll(/\d{3}/g)].map(([ending]): TestNumber => ({
        ending,
        states: [first, ...later],
        seconds: Number(seconds),
      }))
    })
}

/** The last state of a payment: a late result changes only one that allows it (`allow_final_status_change`). */
export const lastState = ({ states }: TestNumber, { allow_final_status_change: allows }: Fields): string =>
  allows === false ? states[0] : (states.at(-1) ?? states[0])
