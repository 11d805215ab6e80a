import { OperationRefusal } from './operation.ts'

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

export const printableAccount = (account: string): string => maskedAccount(account).replaceAll(/[^\w…./-]/g, '?')

/** The file names accounts, and no setting says which one belongs to the rail account. */
export class AccountNotSet extends OperationRefusal {
  readonly accounts: StatementsByAccount

  constructor(file: string, name: string, accounts: StatementsByAccount) {
    const [only] = accounts.size === 1 ? accounts.keys() : []
    const which = only === undefined ? '' : ` that ends in ${only.slice(-4).replaceAll(/[^\w./-]/g, '?')}`
    super(
      'invalid',
      `nothing was imported: ${file} has ${statementsText(accounts)}, and the account of ${name} is not known`,
      `Say it once, then import again: malipo rail set ${name} --set statement_account=<the IBAN or account number${which}> --reason <text>`,
    )
    this.accounts = accounts
  }
}

export const noneOfOurs = (
  file: string,
  name: string,
  account: string,
  others: StatementsByAccount,
): OperationRefusal =>
  new OperationRefusal(
    'conflict',
    `nothing was imported: ${file} has no statement of account ${printableAccount(account)}, which is the account of ${name} (statement_account). It has ${statementsText(others)}`,
  )
