import type { Command } from 'commander'
import { MALIPO } from './called-as.ts'
import {
  addExamples,
  addLeaf,
  LIMIT_MAX,
  parseCurrency,
  parseLimit,
  parseOneOf,
  parseSince,
  parseReference,
  parseText,
} from './command.ts'
import { repeatable } from './option-values.ts'
import { balance } from './rail-balance.ts'
import { check } from './rail-check.ts'
import { kindNames, kindNamed, railAccountNamed } from '../operations/rail-account-named.ts'
import { kinds, list, log, show, toRecord } from './rail-show.ts'
import { probe } from './rail-probe.ts'
import { parseSetting, queryForMissing, givenSettings, type SettingsInput } from './rail-settings.ts'
import {
  asRecordedAction,
  addStaffAction,
  asStaffAction,
  type RecordedOptions,
  type StaffOptions,
} from './staff-action.ts'
import { directionsOf } from '../../rails/directions.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { openSettings } from '../../storage/rail-accounts.ts'
import { addRailAccount, removeRailAccount, setRailAccount } from '../operations/change-rail-account.ts'
import { withDatabase, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson, printable, shortTime } from './output.ts'
import { sandboxOperator } from './rail-sandbox.ts'
import { runAddition, runChange } from './run-change.ts'
import { bookOwnMovement } from '../operations/book-own-movement.ts'
import { amountText } from '../../domain/money.ts'
import { minorFromText } from '../operations/amount.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} rail list`)
  defineShow(group)
  defineChange(group)
  defineTalk(group)
  defineBook(group)
  defineRemove(group)
}

function defineShow(group: Command): void {
  addLeaf(
    group,
    'list',
    'list the connections to operators, and the providers that use them',
    `${MALIPO} rail list`,
  ).action(list)
  addLeaf(
    group,
    'kinds',
    'list the kinds of rails: those of Malipo, and those of MALIPO_RAIL_PACKAGES with their SHA-256',
    `${MALIPO} rail kinds`,
  ).action(kinds)
  addLeaf(
    group,
    'show',
    'show a connection with its settings; secrets are never shown',
    `${MALIPO} rail show mtn-uganda`,
  )
    .argument('<rail-account>', 'its name')
    .action(show)
}

function defineChange(group: Command): void {
  asRecordedAction(
    withSettings(
      addLeaf(
        group,
        'add',
        'connect to an operator: missing settings are prompted for, secrets are never echoed',
        `${MALIPO} rail add mtn-uganda mtn-momo --currency UGX --base-url https://proxy.momoapi.mtn.com --from mtn.env`,
        `${MALIPO} rail add rwanda mtn-momo --sandbox`,
      ),
    ),
  )
    .argument('<rail-account>', 'a name for it, for example mtn-uganda: part of the address at which it reports')
    .argument('<kind>', `the kind of rail: ${kindNames()}`)
    .option('--currency <code>', 'what all its payments are in, for example UGX', parseCurrency)
    .option('--base-url <url>', "the operator's address, without a path")
    .option('--sandbox', 'to the simulator that runs on this machine: address and settings are its own')
    .action(add)
  asStaffAction(
    withSettings(
      addLeaf(
        group,
        'set',
        'change settings of a connection; an empty value removes an optional one',
        `${MALIPO} rail set mtn-uganda --set requests_per_second=20 --reason "MTN allows more"`,
        `${MALIPO} rail set mtn-uganda --from new-keys.env --reason "Yearly rotation"`,
      ),
    ),
  )
    .argument('<rail-account>', 'its name')
    .option('--base-url <url>', "the operator's address, when it has moved")
    .option(
      '--new-token',
      'derive the tokens in callback addresses from a new secret, within a minute; open orders keep their addresses for 90 days',
    )
    .option('--end-old-tokens', 'the same, and end the addresses of open orders at once: for a secret that leaked')
    .action(set)
}

/** Commands that query the operator, or show recorded exchanges. */
function defineTalk(group: Command): void {
  addLeaf(
    group,
    'check',
    'try credentials, balance and, if given, an account, and show where answers differ from the contract: nothing is moved',
    `${MALIPO} rail check mtn-uganda --account 256772000123`,
  )
    .argument('<rail-account>', 'its name')
    .option('--account <number>', 'an account number that the operator knows')
    .action((name: string, options: { account?: string; json?: true }) => check(name, options))
  addLeaf(
    group,
    'probe',
    "ask an operator what its documents say and compare the answers: held, broke or new; nothing moves money outside the operator's sandbox",
    `${MALIPO} rail probe mtn-uganda`,
    `${MALIPO} rail probe mtn-sandbox --account 46733123454 --yes --transcript mtn.txt`,
  )
    .argument('<rail-account>', 'its name')
    .option('--account <number>', 'an account number that the operator knows')
    .option('--transcript <file>', 'where to write all calls and replies, masked; default: a file named after it here')
    .option('--yes', "in the operator's sandbox, payments of its test numbers too, without asking")
    .action(probe)
  addLeaf(
    group,
    'balance',
    'show the balance at the operator, the balance in our ledger, and the difference',
    `${MALIPO} rail balance mtn-uganda`,
  )
    .argument('<rail-account>', 'its name')
    .action(balance)
  addLeaf(
    group,
    'log',
    'show the exchanges with an operator and the messages it sent, the newest first; secrets and account numbers are masked',
    `${MALIPO} rail log --rail-account mtn-uganda --since 1h`,
    `${MALIPO} rail log --order 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11 --json`,
  )
    .option('--rail-account <name>', 'only of this connection')
    .option('--order <id>', `only about this order: the rail order id of ${MALIPO} transaction show`)
    .option('--since <when>', 'only since then: 90s, 15m, 1h, 7d, or a moment in ISO 8601', parseSince)
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 20)
    .action(log)
}

function defineBook(group: Command): void {
  addStaffAction(
    group,
    'book',
    'book a movement at the operator that Malipo did not make, a top-up or a withdrawal; no wallet changes',
    `${MALIPO} rail book mtn-uganda in 5000000 --reference 8412345678 --reason "Top-up from our bank, FT26324XK81"`,
  )
    .argument('<rail-account>', 'its name')
    .argument('<direction>', 'in: the balance at the operator grew; out: it shrank', parseOneOf(['in', 'out']))
    .argument('<amount>', 'in major units, for example 5000 or 10.50')
    .requiredOption(
      '--reference <text>',
      "the operator's own name of the movement, as its statement has it: the same one twice is booked once",
      parseReference,
    )
    .option('--by <name>', 'who decides; default: the user logged in here', parseText)
    .action(book)
}

function defineRemove(group: Command): void {
  addStaffAction(
    group,
    'remove',
    'remove a connection: possible once no provider uses it and no order waits for a result',
    `${MALIPO} rail remove mtn-uganda --reason "Replaced by mtn-uganda-2"`,
  )
    .argument('<rail-account>', 'its name')
    .action(remove)
}

const withSettings = (command: Command): Command =>
  command
    .option('--set <name=value>', 'a setting that is no secret; may be repeated', repeatable(parseSetting))
    .option('--from <file>', 'settings and secrets from a file with lines name=value; - is standard input')

interface AddOptions extends SettingsInput, RecordedOptions {
  readonly currency?: string
  readonly baseUrl?: string
  readonly sandbox?: true
}

/** `malipo rail add` */
async function add(name: string, kindName: string, { json, reason, ...options }: AddOptions): Promise<void> {
  const kind = kindNamed(kindName)
  const added = await withDatabase(async (context) => {
    const { given, ...place } = await leadingTo(context, kind, options)
    const settings = await queryForMissing(kind, given)
    await runAddition(context, addRailAccount, { rail_account: name, kind: kindName, ...place, settings }, { reason })
    return recordNamed(context, name)
  })
  if (json) return printJson(added)
  print(`${name} is connected to ${kind.title}; running servers know it within a second.

Test it, no money is moved:
  ${MALIPO} rail check ${name}
Connect a provider to it:
  ${MALIPO} provider set <provider> --rail ${name} --reason <text>
or add one: ${MALIPO} provider add --help`)
}

/** A rail account as `--json` prints it. */
async function recordNamed(context: Context, name: string): Promise<object> {
  const { railAccount, kind } = await railAccountNamed(context, name)
  const secrets = openSettings(await context.secretBox(), railAccount)
  return toRecord(railAccount, directionsOf(kind, { ...railAccount.settings, ...secrets }))
}

/** @throws CliError when the options give neither the operator's address nor the simulator */
async function leadingTo(
  context: Context,
  kind: RailKind,
  { currency, baseUrl, sandbox, ...options }: Omit<AddOptions, 'json' | 'reason'>,
) {
  const given = await givenSettings(kind, options)
  if (sandbox) {
    if (baseUrl !== undefined) throw usedWrongly('malipo: --sandbox finds the address: unset --base-url')
    const operator = await sandboxOperator(context, kind, currency)
    return { currency: operator.currency, base_url: operator.baseUrl, given: { ...operator.settings, ...given } }
  }
  if (currency === undefined || baseUrl === undefined)
    throw usedWrongly(
      'malipo: say where the operator is with --currency and --base-url, or --sandbox for a simulator on this machine.\nAdd --help to see what it takes, with an example.',
    )
  return { currency, base_url: baseUrl, given }
}

interface SetOptions extends SettingsInput, StaffOptions {
  readonly baseUrl?: string
  readonly newToken?: true
  readonly endOldTokens?: true
}

/** `malipo rail set` */
async function set(name: string, options: SetOptions): Promise<void> {
  const { baseUrl, newToken, endOldTokens, json } = options
  const changed = await withDatabase(async (context) => {
    const { kind } = await railAccountNamed(context, name)
    const settings = await givenSettings(kind, options)
    const input = { base_url: baseUrl, settings, new_token: newToken, end_old_tokens: endOldTokens }
    await runChange(context, setRailAccount, { rail_account: name, ...input }, options)
    return recordNamed(context, name)
  })
  if (json) printJson(changed)
  else print(`${name} is changed; running servers know it within a second.`)
}

/** `malipo rail remove` */
async function remove(name: string, options: StaffOptions): Promise<void> {
  await withDatabase((context) => runChange(context, removeRailAccount, { rail_account: name }, options))
  if (options.json) printJson({ name, removed: true })
  else print(`${name} is removed; its credentials are gone from the database.`)
}

interface BookOptions extends StaffOptions {
  readonly reference: string
  readonly by?: string
}

/** `rail book`: books what the owner of a rail account moved at the operator without Malipo. */
async function book(name: string, direction: 'in' | 'out', text: string, options: BookOptions): Promise<void> {
  const { reference, reason, by, json } = options
  const booked = await withDatabase(async (context) => {
    const { currency } = (await railAccountNamed(context, name)).railAccount
    const amount = amountText(minorFromText(text, currency), currency)
    const input = { railAccount: name, direction, amount, reference, reason, by }
    return runChange(context, bookOwnMovement, input, options)
  })
  const amount = `${booked.amount} ${booked.currency}`
  if (json) return printJson({ rail_account: name, direction, amount, reference, booked_before: booked.booked_before })
  print(
    booked.booked_before
      ? `${reference} was booked before, at ${shortTime(new Date(booked.at ?? 0))} by ${printable(booked.by ?? '')}: ${printable(booked.reason ?? '')}. Nothing was booked now.`
      : `${amount} ${direction === 'in' ? 'more' : 'less'} is at ${name}. No wallet has changed.\nThe next comparison with the operator's own balance counts it: ${MALIPO} doctor`,
  )
}
