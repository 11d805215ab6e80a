import { createInterface } from 'node:readline/promises'
import { accountOf, statementsText, type StatementsByAccount } from '../operations/statement-account.ts'
import { usedWrongly } from './errors.ts'

/** Where it can prompt. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * Prompts at a terminal for the bank account of the rail account.
 * @returns undefined where prompting is not possible: standard input is the statement, or no terminal
 */
export async function queryForAccount(
  name: string,
  file: string,
  accounts: StatementsByAccount,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> {
  if (!input.isTTY || !output.isTTY) return undefined
  output.write(`${file} has ${statementsText(accounts)}.\n`)
  const lines = createInterface({ input, output, terminal: true })
  const answer = await lines.question(`The account of ${name}, or its last 4 characters: `).finally(() => lines.close())
  const account = accountNamed(answer, accounts)
  if (account === undefined) throw usedWrongly('malipo: nothing was imported: that is not one of these accounts')
  return account
}

/**
 * @returns the account that matches in full or by at least its last 4 characters; undefined where none or
 * several match
 */
export function accountNamed(answer: string, accounts: StatementsByAccount): string | undefined {
  const text = accountOf(answer)
  const named = [...accounts.keys()].filter(
    (account) => account === text || (text.length >= 4 && account.endsWith(text)),
  )
  return named.length === 1 ? named[0] : named.find((account) => account === text)
}
