import { createInterface } from 'node:readline/promises'
import { changeRailAccount } from '../queries/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import { openSecretBox, type Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { note } from './output.ts'
import { addition, recordedAction } from './staff-action.ts'

/** Normalizes an IBAN or account number: people write them with spaces. */
export const accountOf = (text: string): string => text.replaceAll(/\s+/g, '').toUpperCase()

/** The last 4 characters, the only part of an account number that is shown. */
export const maskedAccount = (account: string): string => `…${account.slice(-4)}`

/** How many statements of each account a file has. */
export type StatementsByAccount = ReadonlyMap<string, number>

/** `2 statements of account …3456, 1 statement of account …0002` */
export const statementsText = (byAccount: StatementsByAccount): string =>
  [...byAccount]
    .map(
      ([account, count]) =>
        `${count} ${count === 1 ? 'statement' : 'statements'} of account ${printableAccount(account)}`,
    )
    .join(', ')

const printableAccount = (account: string): string => maskedAccount(account).replaceAll(/[^\w…./-]/g, '?')

/** The file names accounts, and no setting says which one belongs to the rail account. */
export class AccountNotSet extends Error {
  override readonly name = 'AccountNotSet'
  readonly accounts: StatementsByAccount

  constructor(accounts: StatementsByAccount) {
    super('no statement_account is set')
    this.accounts = accounts
  }
}

export const noneOfOurs = (file: string, name: string, account: string, others: StatementsByAccount): CliError =>
  new CliError(
    `malipo: nothing was imported: ${file} has no statement of account ${printableAccount(account)}, which is the account of ${name} (statement_account). It has ${statementsText(others)}.`,
  )

/** Advice where prompting is not possible. */
export function accountMissing(file: string, name: string, accounts: StatementsByAccount): CliError {
  const [only] = accounts.size === 1 ? accounts.keys() : []
  const which = only === undefined ? '' : ` that ends in ${only.slice(-4).replaceAll(/[^\w./-]/g, '?')}`
  return usedWrongly(`malipo: nothing was imported: ${file} has ${statementsText(accounts)}, and the account of ${name} is not known.
Say it once, then import again: ${MALIPO} rail set ${name} --set statement_account=<the IBAN or account number${which}> --reason <text>`)
}

/** Where it can prompt. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * Prompts at a terminal for the bank account of the rail account, and stores the answer.
 * @returns false where prompting is not possible: standard input is the statement, or no terminal
 */
export async function queryForAccount(
  context: Context,
  name: string,
  file: string,
  accounts: StatementsByAccount,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) return false
  output.write(`${file} has ${statementsText(accounts)}.\n`)
  const lines = createInterface({ input, output, terminal: true })
  const answer = await lines.question(`The account of ${name}, or its last 4 characters: `).finally(() => lines.close())
  const account = accountNamed(answer, accounts)
  if (account === undefined) throw usedWrongly('malipo: nothing was imported: that is not one of these accounts')
  const box = await openSecretBox(context)
  const settings = { statement_account: account }
  const change = { settings, secrets: {}, requiresNoOpenOrders: false, by: context.actor.name }
  await recordedAction(
    context,
    { command: 'statement import', subject: name },
    {},
    addition(
      async (pool) => changeRailAccount(pool, box, name, change, context.clock.now()),
      () => ({ statement_account: printableAccount(account) }),
    ),
  )
  note(`${printableAccount(account)} is the account of ${name} from now on (statement_account).`)
  return true
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
