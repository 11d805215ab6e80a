import { type Command } from 'commander'
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
import { add } from './rail-add.ts'
import { balance } from './rail-balance.ts'
import { book } from './rail-book.ts'
import { remove, set } from './rail-change.ts'
import { check } from './rail-check.ts'
import { kindNames } from '../operations/rail-account-named.ts'
import { kinds } from './rail-kinds.ts'
import { probe } from './rail-probe.ts'
import { parseSetting } from './rail-settings.ts'
import { list, log, show } from './rail-show.ts'
import { asRecordedAction, addStaffAction, asStaffAction } from './staff-action.ts'

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
