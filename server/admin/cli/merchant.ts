import { InvalidArgumentError, Option, type Command } from 'commander'
import type { TransactionType } from '../../domain/provider.ts'
import { parseRedirectHosts } from '../../domain/redirect-url.ts'
import { changeMerchant, createMerchantWithKeys } from '../operations/change-merchant.ts'
import { isVisible, merchantNamed } from '../operations/merchant-named.ts'
import { providersOf } from '../operations/merchant-values.ts'
import { failingCallbackUrls, type FailingUrl } from '../queries/callback-health.ts'
import { merchantRecord } from '../queries/merchant-record.ts'
import { eachMerchant, type MerchantView } from '../queries/merchants.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseName } from './command.ts'
import { withDatabase, type Context } from './database.ts'
import { brandFields, defineBrand } from './merchant-brand.ts'
import { repeatable } from './option-values.ts'
import { note, print, printFields, printJson, printTable, shortTime } from './output.ts'
import { defineTerms } from './merchant-terms.ts'
import { runAddition, runChange } from './run-change.ts'
import {
  asRecordedAction,
  asStaffAction,
  type RecordedOptions,
  type StaffOptions,
  addStaffAction,
} from './staff-action.ts'
import { resumeMerchant, suspendMerchant } from '../operations/suspend-merchant.ts'

interface UrlOptions {
  readonly collectionCallbackUrl?: string
  readonly payoutCallbackUrl?: string
  readonly refundCallbackUrl?: string
  readonly refundsByPayout?: 'yes' | 'no'
  readonly pageRetries?: 'yes' | 'no'
  readonly verificationUrl?: string
  readonly batchHandshake?: 'yes' | 'no'
  readonly redirectHosts?: readonly string[]
}
interface SetOptions extends UrlOptions, StaffOptions {
  readonly name?: string
  readonly enable?: readonly EnabledOption[]
  readonly disable?: readonly EnabledOption[]
}
interface EnabledOption {
  readonly provider_code: string
  readonly transaction_type: TransactionType
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} merchant show pub_sandbox_demo`)
  asRecordedAction(
    withUrls(
      addLeaf(
        group,
        'create',
        'create a merchant and print its keys, once',
        `${MALIPO} merchant create "Duka Moja" --collection-callback-url https://shop.example/malipo`,
      ),
    ),
  )
    .argument('<name>', 'its display name', parseName)
    .action(create)
  addLeaf(
    group,
    'show',
    'show a merchant: URLs, enabled options, ages of its keys',
    `${MALIPO} merchant show pub_sandbox_demo`,
  )
    .argument('<merchant>', 'public key or id')
    .action(async (name: string, { json }: { json?: true }) =>
      show(await withDatabase(async (context) => withHealth(context, await merchantNamed(context, name))), json),
    )
  asStaffAction(
    withUrls(
      addLeaf(
        group,
        'set',
        'change a merchant; an empty text removes a URL, or the list of redirect hosts',
        `${MALIPO} merchant set 2 --payout-callback-url https://shop.example/payouts --disable bank_ng:PAYOUT --reason "Asked by the merchant"`,
        `${MALIPO} merchant set 2 --verification-url '' --reason "No payouts any more"`,
        `${MALIPO} merchant set 2 --redirect-hosts 'shop.example,*.shop.example' --reason "Asked by the merchant"`,
      ),
    ),
  )
    .argument('<merchant>', 'public key or id')
    .option('--name <name>', 'its display name', parseName)
    .option('--enable <provider:TYPE>', 'allow a payment option; may be repeated', repeatable(collectOption))
    .option('--disable <provider:TYPE>', 'forbid a payment option; may be repeated', repeatable(collectOption))
    .action(change)
  defineBrand(group)
  defineSuspension(group)
  defineTerms(group)
  addLeaf(group, 'list', 'list all merchants', `${MALIPO} merchant list --json`).action(list)
}

const withUrls = (command: Command): Command =>
  command
    .option('--collection-callback-url <url>', 'where callbacks of collections go')
    .option('--payout-callback-url <url>', 'where callbacks of payouts go')
    .option('--refund-callback-url <url>', 'where callbacks of refunds go')
    .addOption(
      new Option(
        '--refunds-by-payout <yes|no>',
        'whether a collection may be refunded by a payout where its operator has no such refund',
      ).choices(['yes', 'no']),
    )
    .addOption(
      new Option(
        '--page-retries <yes|no>',
        'whether customers may try again on the payment page after a failure',
      ).choices(['yes', 'no']),
    )
    .option('--verification-url <url>', 'where each payout is verified first (the handshake)')
    .addOption(
      new Option('--batch-handshake <yes|no>', 'whether one handshake confirms all payouts of a batch').choices([
        'yes',
        'no',
      ]),
    )
    .option(
      '--redirect-hosts <hosts>',
      'where customers may be sent after a payment: hosts, or *.host for all names below it; none means any',
      parseHosts,
    )

function parseHosts(text: string): readonly string[] {
  if (text.trim() === 'none') return []
  try {
    return parseRedirectHosts(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function collectOption(text: string, before: readonly EnabledOption[] = []): readonly EnabledOption[] {
  const [, providerCode, type] = /^([a-z0-9_]{1,64}):(COLLECTION|PAYOUT)$/i.exec(text) ?? []
  if (!providerCode || !type) throw new InvalidArgumentError('It must be like mtn_ug:COLLECTION or mtn_ug:PAYOUT.')
  return [
    ...before,
    { provider_code: providerCode.toLowerCase(), transaction_type: type.toUpperCase() as TransactionType },
  ]
}

const inputOf = (options: UrlOptions & { readonly name?: string }) => ({
  name: options.name,
  collection_callback_url: options.collectionCallbackUrl,
  payout_callback_url: options.payoutCallbackUrl,
  refund_callback_url: options.refundCallbackUrl,
  refunds_by_payout: options.refundsByPayout && options.refundsByPayout === 'yes',
  page_retries: options.pageRetries && options.pageRetries === 'yes',
  verification_url: options.verificationUrl,
  batch_handshake: options.batchHandshake && options.batchHandshake === 'yes',
  redirect_hosts: options.redirectHosts,
})

async function create(name: string, { json, reason, ...urls }: UrlOptions & RecordedOptions): Promise<void> {
  const { merchant, keys } = await withDatabase(async (context) => {
    const input = { ...inputOf(urls), name }
    const { merchant_id, ...keys } = await runAddition(context, createMerchantWithKeys, input, { reason })
    return { merchant: await merchantNamed(context, merchant_id), keys }
  })
  if (json) printJson({ ...merchantRecord(merchant), ...keys })
  else {
    print(`Merchant ${merchant.id} "${merchant.name}" is created.\n`)
    printFields(Object.entries(keys).map(([label, key]) => [label.replace('_', ' '), key]))
    print('\nKeep these keys now: they are shown only once.')
  }
  if (merchant.options.length === 0)
    note(
      `It may use no payment option yet: a sandbox gets its providers when the server first starts. Then allow them with ${MALIPO} merchant set --enable.`,
    )
}

async function change(merchant: string, options: SetOptions): Promise<void> {
  const { enable, disable } = options
  const input = { ...inputOf(options), merchant, enable, disable }
  const changed = await withDatabase(async (context) => {
    const { merchant_id: id } = await runChange(context, changeMerchant, input, options)
    return withHealth(context, await merchantNamed(context, id))
  })
  show(changed, options.json)
}

interface MerchantHealth {
  readonly merchant: MerchantView
  readonly failing: readonly FailingUrl[]
}

const withHealth = async ({ pool, clock }: Context, merchant: MerchantView): Promise<MerchantHealth> => ({
  merchant,
  failing: await failingCallbackUrls(pool, merchant, clock.now()),
})

function show({ merchant, failing }: MerchantHealth, json: true | undefined): void {
  if (json) return printJson({ ...merchantRecord(merchant), callbacks_failing: failing })
  printFields([
    ['id', merchant.id],
    ['name', merchant.name],
    ['public key', merchant.public_key],
    ['created', shortTime(merchant.created_at)],
    ...(merchant.suspended_at ? [['suspended', `since ${shortTime(merchant.suspended_at)}`] as const] : []),
    [
      'collection callbacks to',
      merchant.collection_callback_url ??
        '(none: the merchant polls verify; callbacks wait until there is one and they are resent)',
    ],
    [
      'payout callbacks to',
      merchant.payout_callback_url ??
        '(none: the merchant polls verify; callbacks wait until there is one and they are resent)',
    ],
    ['refund callbacks to', merchant.refund_callback_url ?? '(none)'],
    ['refunds by payout', merchant.refunds_by_payout ? 'yes' : 'no'],
    ['retries on the payment page', merchant.page_retries ? 'yes' : 'no'],
    ...failing.map(
      ({ url, since }) => ['callbacks failing', `since ${shortTime(since)}: nothing acknowledged at ${url}`] as const,
    ),
    ['payouts verified at', merchant.verification_url ?? '(none: payouts are refused)'],
    ['batches verified', merchant.batch_handshake ? 'by one handshake' : 'payout by payout'],
    ['customers sent to', merchant.redirect_hosts?.join(' ') ?? '(any host)'],
    ...brandFields(merchant),
    ['collections by', providersOf(merchant, 'COLLECTION')],
    ['payouts by', providersOf(merchant, 'PAYOUT')],
    [
      'keys',
      merchant.keys
        .map(
          ({ kind, created_at, expires_at }) =>
            `${kind} of ${created_at.slice(0, 10)}${expires_at === null ? '' : ` until ${expires_at.slice(0, 16)}`}`,
        )
        .join(', '),
    ],
  ])
}

async function list({ json }: { json?: true }): Promise<void> {
  const merchants = await withDatabase(async ({ config, pool }) => {
    const visible: MerchantView[] = []
    for await (const merchant of eachMerchant(pool)) if (isVisible(config, merchant)) visible.push(merchant)
    return visible
  })
  if (json) return printJson(merchants.map(merchantRecord))
  printTable(
    merchants,
    [
      { title: 'ID', of: ({ id }) => id, align: 'right' },
      { title: 'NAME', of: ({ name }) => name, cut: true },
      { title: 'PUBLIC KEY', of: ({ public_key }) => public_key },
      { title: 'OPTIONS', of: ({ options }) => options.length, align: 'right' },
      { title: 'COLLECTION CALLBACKS', of: ({ collection_callback_url }) => collection_callback_url, cut: true },
      { title: 'CREATED', of: ({ created_at }) => shortTime(created_at) },
    ],
    `No merchant yet. Make one: ${MALIPO} merchant create "Duka Moja"`,
  )
}

function defineSuspension(group: Command): void {
  addStaffAction(
    group,
    'suspend',
    'let a merchant start no payments; its payouts that are not sent yet wait with their money held',
    `${MALIPO} merchant suspend 2 --reason "Complaints of 20 November"`,
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => setSuspension(name, true, options))
  addStaffAction(
    group,
    'resume',
    'end the suspension of a merchant; payouts that waited go out',
    `${MALIPO} merchant resume 2 --reason "Complaints settled"`,
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => setSuspension(name, false, options))
}

async function setSuspension(name: string, isSuspended: boolean, options: StaffOptions): Promise<void> {
  const merchant = await withDatabase(async (context) => {
    const operation = isSuspended ? suspendMerchant : resumeMerchant
    const { merchant_id: id } = await runChange(context, operation, { merchant: name }, options)
    return merchantNamed(context, id)
  })
  const { id, suspended_at } = merchant
  if (options.json) printJson({ id, suspended_at })
  else
    print(
      isSuspended
        ? `Merchant ${id} is suspended; running servers know it within a second.`
        : `Merchant ${id} may start payments again; payouts that waited go out now.`,
    )
}
