import type { Command } from 'commander'
import type { TransactionType } from '../../domain/provider.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { removeCharges, removeLimits, setCharges, setLimits, type TermsInput } from '../operations/merchant-terms.ts'
import { termsOf } from '../queries/merchant-terms.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseOneOf, parsePercent } from './command.ts'
import { withDatabase, type Context } from './database.ts'
import { print, printJson, printTable } from './output.ts'
import { runChange } from './run-change.ts'
import { asStaffAction, type StaffOptions } from './staff-action.ts'

export function defineTerms(group: Command): void {
  defineKind(group, 'limits', {
    description: 'limits of a merchant that are narrower than those of a provider',
    set: `${MALIPO} merchant limits set 2 mtn_ug --type PAYOUT --max 1000000 --daily 2000000 --reason "New merchant"`,
    remove: `${MALIPO} merchant limits remove 2 mtn_ug --type PAYOUT --reason "Contract of 2026"`,
    list: `${MALIPO} merchant limits list pub_sandbox_demo`,
    options: (command) =>
      command
        .option('--min <amount>', 'smallest amount per transaction')
        .option('--max <amount>', 'largest amount per transaction')
        .option('--daily <amount>', 'largest amount per account number in 24 hours'),
    toSet: (context, of, { min, max, daily, ...options }) =>
      runChange(context, setLimits, { ...of, min_amount: min, max_amount: max, max_daily_amount: daily }, options),
    toRemove: (context, of, options) => runChange(context, removeLimits, of, options),
  })
  defineKind(group, 'charges', {
    description: 'charges of a merchant in place of those of a provider',
    set: `${MALIPO} merchant charges set 2 mtn_ug --type PAYOUT --charge 1.5 --charge-flat 0 --reason "Contract of 2026"`,
    remove: `${MALIPO} merchant charges remove 2 mtn_ug --type PAYOUT --reason "Contract of 2026"`,
    list: `${MALIPO} merchant charges list pub_sandbox_demo`,
    options: (command) =>
      command
        .option('--charge <percent>', 'charge in percent', parsePercent)
        .option('--charge-flat <amount>', 'charge on top, the same for every transaction'),
    toSet: (context, of, { charge, chargeFlat, ...options }) =>
      runChange(context, setCharges, { ...of, charge_basis_points: charge, charge_flat: chargeFlat }, options),
    toRemove: (context, of, options) => runChange(context, removeCharges, of, options),
  })
}

interface Kind {
  readonly description: string
  /** An example of each command. */
  readonly set: string
  readonly remove: string
  readonly list: string
  readonly options: (command: Command) => Command
  readonly toSet: TermsRun
  readonly toRemove: TermsRun
}

type TermsRun = (context: Context, of: TermsInput, options: SetOptions) => Promise<unknown>

interface SetOptions extends StaffOptions {
  readonly type: TransactionType
  readonly min?: string
  readonly max?: string
  readonly daily?: string
  readonly charge?: number
  readonly chargeFlat?: string
}

function defineKind(
  merchantGroup: Command,
  kind: 'limits' | 'charges',
  { description, options, toSet, toRemove, ...examples }: Kind,
): void {
  const group = merchantGroup.command(kind).description(description)
  addExamples(group, examples.list)
  const ofOption = (command: Command): Command =>
    asStaffAction(command)
      .argument('<merchant>', 'public key or id')
      .argument('<provider>', 'provider code, for example mtn_ug')
      .requiredOption('--type <type>', 'COLLECTION or PAYOUT', parseOneOf(['COLLECTION', 'PAYOUT']))
  const act = (run: TermsRun) => (merchant: string, provider: string, options: SetOptions) => {
    const of = { merchant, provider_code: provider, transaction_type: options.type }
    return change(kind, of, options, (context) => run(context, of, options))
  }
  ofOption(
    options(addLeaf(group, 'set', `set ${kind} of a merchant; what is not given stays as it is`, examples.set)),
  ).action(act(toSet))
  ofOption(
    addLeaf(group, 'remove', `remove the ${kind} of a merchant: those of the provider apply`, examples.remove),
  ).action(act(toRemove))
  addLeaf(group, 'list', `list the ${kind} that a merchant has of its own`, examples.list)
    .argument('<merchant>', 'public key or id')
    .action(list)
}

type Run = (context: Context) => Promise<unknown>

async function change(kind: 'limits' | 'charges', of: TermsInput, options: SetOptions, run: Run): Promise<void> {
  const { merchant, provider_code, transaction_type } = of
  await withDatabase(run)
  if (options.json) return list(merchant, options)
  print(
    `The ${kind} of ${merchant} at ${provider_code} ${transaction_type} are changed; running servers know it within a second.`,
  )
}

async function list(name: string, { json }: { readonly json?: true }): Promise<void> {
  const rows = await withDatabase(async (context) => termsOf(context.pool, (await merchantNamed(context, name)).id))
  if (json) return printJson(rows)
  printTable(
    rows,
    [
      { title: 'PROVIDER', of: (row) => row.provider_code },
      { title: 'TYPE', of: (row) => row.transaction_type },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'MIN', of: (row) => row.min_amount, align: 'right' },
      { title: 'MAX', of: (row) => row.max_amount, align: 'right' },
      { title: 'DAILY', of: (row) => row.max_daily_amount, align: 'right' },
      {
        title: 'CHARGE',
        of: ({ charge_basis_points: bps }) => (bps === null ? null : `${bps / 100} %`),
        align: 'right',
      },
      { title: 'FLAT', of: (row) => row.charge_flat, align: 'right' },
    ],
    'None of its own: those of the providers apply.',
  )
}
