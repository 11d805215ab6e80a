import { randomBytes } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import type { Config } from '../../config.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { parseRedirectHosts } from '../../domain/redirect-url.ts'
import { failingCallbackUrls, type FailingUrl } from '../queries/callback-health.ts'
import {
  createMerchant,
  eachMerchant,
  newMerchantKeys,
  setOptionEnabled,
  updateMerchant,
  type MerchantKeys,
  type MerchantSettings,
  type MerchantView,
} from '../queries/merchants.ts'
import { listProviderOptions } from '../queries/provider-settings.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf } from './command.ts'
import { isVisible, merchantNamed } from '../operations/merchant-named.ts'
import { openSecretBox, withDatabase, type Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { brandFields, brandRecord, defineBrand } from './merchant-brand.ts'
import { faultOfUrl } from './outbound.ts'
import { repeatable } from './option-values.ts'
import { note, print, printFields, printJson, printTable, shortTime } from './output.ts'
import { defineSuspension } from './merchant-suspend.ts'
import { defineTerms } from './merchant-terms.ts'
import { merchantValues, providersOf } from './merchant-values.ts'
import { parseName } from './people-name.ts'
import {
  addition,
  asRecordedAction,
  asStaffAction,
  recordedAction,
  staffAction,
  type RecordedOptions,
  type StaffOptions,
} from './staff-action.ts'

interface UrlOptions {
  readonly collectionCallbackUrl?: string
  readonly payoutCallbackUrl?: string
  readonly verificationUrl?: string
  readonly redirectHosts?: readonly string[]
}
interface SetOptions extends UrlOptions, StaffOptions {
  readonly name?: string
  readonly enable?: readonly Option[]
  readonly disable?: readonly Option[]
}
interface Option {
  readonly providerCode: string
  readonly type: TransactionType
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
    .option('--verification-url <url>', 'where each payout is verified first (the handshake)')
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

function collectOption(text: string, before: readonly Option[] = []): readonly Option[] {
  const [, providerCode, type] = /^([a-z0-9_]{1,64}):(COLLECTION|PAYOUT)$/i.exec(text) ?? []
  if (!providerCode || !type) throw new InvalidArgumentError('It must be like mtn_ug:COLLECTION or mtn_ug:PAYOUT.')
  return [...before, { providerCode: providerCode.toLowerCase(), type: type.toUpperCase() as TransactionType }]
}

/** Accepts only URLs that the mode's rules allow for callbacks; an empty text passes, because it removes the URL. */
function checkUrls(config: Config, urls: UrlOptions): void {
  for (const [flag, url] of [
    ['collection-callback-url', urls.collectionCallbackUrl],
    ['payout-callback-url', urls.payoutCallbackUrl],
    ['verification-url', urls.verificationUrl],
  ] as const) {
    const fault = url ? faultOfUrl(config, url) : undefined
    if (fault !== undefined) throw usedWrongly(`malipo: --${flag} cannot be used. ${fault}.`)
  }
}

const settingsOf = ({
  name,
  collectionCallbackUrl,
  payoutCallbackUrl,
  verificationUrl,
  redirectHosts,
}: SetOptions): MerchantSettings => ({
  ...(name !== undefined && { name }),
  ...(collectionCallbackUrl !== undefined && { collectionCallbackUrl }),
  ...(payoutCallbackUrl !== undefined && { payoutCallbackUrl }),
  ...(verificationUrl !== undefined && { verificationUrl }),
  ...(redirectHosts !== undefined && { redirectHosts }),
})

async function create(name: string, { json, reason, ...urls }: UrlOptions & RecordedOptions): Promise<void> {
  const { merchant, keys } = await withDatabase(async (context) => {
    checkUrls(context.config, urls)
    const box = await openSecretBox(context)
    const keys = newMerchantKeys({ bytes: (size) => randomBytes(size) })
    const given = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== ''))
    const id = await recordedAction(
      context,
      { command: 'merchant create', subject: keys.publicKey },
      { reason },
      addition(
        (pool) => createMerchant(pool, box, { name, keys, sandboxOnly: false, ...given }, context.clock.now()),
        async (created, pool) => merchantValues(await merchantNamed({ ...context, pool }, String(created))),
      ),
    )
    return { merchant: await merchantNamed(context, String(id)), keys }
  })
  if (json)
    printJson({
      ...toRecord(merchant),
      secret_key: keys.secretKey,
      signing_key: keys.signingKey,
      webhook_secret: keys.webhookSecret,
    })
  else printNew(merchant, keys)
  if (merchant.options.length === 0)
    note(
      `It may use no payment option yet: a sandbox gets its providers when the server first starts. Then allow them with ${MALIPO} merchant set --enable.`,
    )
}

function printNew(merchant: MerchantView, keys: MerchantKeys): void {
  print(`Merchant ${merchant.id} "${merchant.name}" is created.\n`)
  printFields([
    ['public key', keys.publicKey],
    ['secret key', keys.secretKey],
    ['signing key', keys.signingKey],
    ['webhook secret', keys.webhookSecret],
  ])
  print('\nKeep these keys now: they are shown only once.')
}

async function change(name: string, options: SetOptions): Promise<void> {
  const { json, enable = [], disable = [] } = options
  const settings = settingsOf(options)
  if (Object.keys(settings).length + enable.length + disable.length === 0)
    throw usedWrongly(
      `malipo: nothing to change.\nGive an option, for example --name; ${MALIPO} merchant set --help lists them.`,
    )
  const changed = await withDatabase(async (context) => {
    checkUrls(context.config, options)
    const { id, public_key: subject } = await merchantNamed(context, name)
    await refuseUnknownOptions(context, [...enable, ...disable])
    await staffAction(context, { command: 'merchant set', subject, merchantId: id }, options, {
      read: async (pool, isSet) =>
        merchantValues(await merchantNamed({ ...context, pool }, String(id)), isSet ? settings : {}),
      async apply(pool) {
        await updateMerchant(pool, id, settings)
        for (const { providerCode, type } of enable) await setOptionEnabled(pool, id, providerCode, type, true)
        for (const { providerCode, type } of disable) await setOptionEnabled(pool, id, providerCode, type, false)
        return true
      },
    })
    return withHealth(context, await merchantNamed(context, String(id)))
  })
  show(changed, json)
}

interface MerchantHealth {
  readonly merchant: MerchantView
  readonly failing: readonly FailingUrl[]
}

const withHealth = async ({ pool, clock }: Context, merchant: MerchantView): Promise<MerchantHealth> => ({
  merchant,
  failing: await failingCallbackUrls(pool, merchant, clock.now()),
})

async function refuseUnknownOptions({ pool }: Context, options: readonly Option[]): Promise<void> {
  if (options.length === 0) return
  const known = new Set(
    (await listProviderOptions(pool, { currency: undefined, type: undefined })).map(
      (row) => `${row.provider_code}:${row.transaction_type}`,
    ),
  )
  const unknown = options
    .map(({ providerCode, type }) => `${providerCode}:${type}`)
    .find((option) => !known.has(option))
  if (unknown !== undefined)
    throw notFound(`malipo: there is no payment option ${unknown}.\nSee them all: ${MALIPO} provider list`)
}

function show({ merchant, failing }: MerchantHealth, json: true | undefined): void {
  if (json) return printJson({ ...toRecord(merchant), callbacks_failing: failing })
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
    ...failing.map(
      ({ url, since }) => ['callbacks failing', `since ${shortTime(since)}: nothing acknowledged at ${url}`] as const,
    ),
    ['payouts verified at', merchant.verification_url ?? '(none: payouts are refused)'],
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
  if (json) return printJson(merchants.map(toRecord))
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

const toRecord = ({
  id,
  name,
  public_key,
  collection_callback_url,
  payout_callback_url,
  verification_url,
  redirect_hosts,
  sandbox_only,
  created_at,
  suspended_at,
  options,
  keys,
  ...others
}: MerchantView) => ({
  id,
  name,
  public_key,
  collection_callback_url,
  payout_callback_url,
  verification_url,
  redirect_hosts,
  ...brandRecord(others),
  sandbox_only,
  created_at,
  suspended_at,
  options,
  keys: keys.map((key) => ({
    ...key,
    created_at: new Date(key.created_at),
    expires_at: key.expires_at === null ? null : new Date(key.expires_at),
  })),
})
