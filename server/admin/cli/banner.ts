import type { Config, Role } from '../../config.ts'
import type { Gateway } from '../../main.ts'
import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'
import type { RailAccountState } from '../../start/rail-account-states.ts'
import type { RailCoverage } from '../../storage/reference-data.ts'
import { railAccountRecord, railAccountsText } from './banner-rail-accounts.ts'

const COLLECTION = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'auto',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'My first collection',
}

const { publicKey } = DEMO_MERCHANT.keys
const headers = `-H x-api-version:1 -H public-key:${publicKey}`

/**
 * One line to paste: `auto` makes a new reference each time, so it can be pasted again. cmd.exe and PowerShell read
 * quotes within quotes differently, and PowerShell 5 has a `curl` of its own: there Node sends it.
 */
export function collectionLine(url: string, platform = process.platform): string {
  const body = JSON.stringify(COLLECTION)
  if (platform !== 'win32')
    return `curl ${url}/collections/initialize ${headers} -H content-type:application/json -d '${body}'`
  const sent = { 'x-api-version': '1', 'public-key': publicKey, 'content-type': 'application/json' }
  const request = `method:'POST',headers:${JSON.stringify(sent)},body:JSON.stringify(${body})`.replaceAll('"', "'")
  return `node -e "fetch('${url}/collections/initialize',{${request}}).then(async r=>console.log(await r.text()))"`
}

const verifyLine = (url: string): string =>
  `curl${process.platform === 'win32' ? '.exe' : ''} ${url}/data/transaction/verify/MERCHANT_REFERENCE ${headers}`

export interface ServerSummary {
  readonly url: string
  /** Absent when metrics are off. */
  readonly metricsUrl?: string | undefined
  /** Absent when the sign-in is off. */
  readonly admin?: Gateway['admin']
  readonly console?: Gateway['console']
  readonly role: Role
  readonly config: Config
  readonly rails: RailCoverage
  readonly railAccounts: readonly RailAccountState[]
  /** Simulated operators that this process serves over HTTP. */
  readonly operators?: Gateway['operators']
}

/**
 * Notice about providers that have no rail account, in live and rehearsal mode. Undefined when there are none, and in
 * the sandbox, which simulates all of them.
 */
export function railNotice({
  rails: { providersWithRail, providersWithoutRail },
  config: { mode },
}: Pick<ServerSummary, 'rails' | 'config'>): string | undefined {
  if (mode === 'sandbox') return undefined
  const names = providersWithoutRail.join(', ')
  if (providersWithRail.length === 0)
    return `No rail is configured: every payment is refused${names === '' ? '' : `, for ${names}`}. ${NEXT[mode]}`
  return names === '' ? undefined : `No rail is configured for ${names}: their payments are refused. ${NEXT[mode]}`
}

/** What the reader does next, by mode. */
const NEXT = {
  live: 'See "Going live" in the docs.',
  rehearsal:
    'Start an operator on this machine, npx --no -- malipo-operator mtn-momo: it prints the command that adds it. See "Rehearsing on your own machine" in the docs.',
} as const

/** What `serve --json` prints once it is ready. */
export function startedRecord(started: ServerSummary) {
  const { url, metricsUrl, admin, role, rails, railAccounts, operators = [], config } = started
  const { mode } = config
  const watched = {
    ...(metricsUrl !== undefined && { metrics_url: metricsUrl }),
    ...(admin && { admin_url: admin.url }),
    ...(mode !== 'sandbox' && {
      providers_with_rail: rails.providersWithRail,
      providers_without_rail: rails.providersWithoutRail,
    }),
    ...((mode !== 'sandbox' || railAccounts.length > 0) && { rail_accounts: railAccounts.map(railAccountRecord) }),
  }
  if (role === 'worker') return { mode, role, ...watched }
  const served = { mode, role, url, docs_url: `${url}/docs`, ...watched }
  if (mode !== 'sandbox') return served
  const { name, keys } = DEMO_MERCHANT
  return {
    ...served,
    inbox_url: `${url}/sandbox/inbox`,
    ...(admin?.firstAdminLink !== undefined && { first_admin_link: admin.firstAdminLink }),
    ...(operators.length > 0 && {
      operators: operators.map(({ title, url: at }) => ({ title, url: at, phones_url: `${at}/phone` })),
    }),
    demo_merchant: {
      name,
      public_key: keys.publicKey,
      secret_key: keys.secretKey,
      signing_key: keys.signingKey,
      webhook_secret: keys.webhookSecret,
    },
  }
}

/** What a person reads once the server is ready. */
export function banner(started: ServerSummary): string {
  const connections = railAccountsText(started.railAccounts)
  return [addresses(started), connections, railNotice(started)].filter((part) => part !== undefined).join('\n')
}

function addresses(started: ServerSummary): string {
  const { url, metricsUrl, admin, console: merchants, role, config } = started
  if (role === 'worker')
    return `Malipo works (${config.mode}): callbacks and rails, no API.${metricsUrl === undefined ? '' : ` Metrics at ${metricsUrl}, health at ${new URL('/health/ready', metricsUrl).href}.`}`
  if (config.mode !== 'sandbox')
    return `Malipo listens on ${url} (${config.mode}); docs at ${url}/docs${metricsUrl === undefined ? '' : `, metrics at ${metricsUrl}`}${admin ? `, console at ${admin.url}` : ''}${merchants ? `, console of merchants at ${merchants.url}` : ''}.`
  return sandboxBanner(started)
}

/** Where to find the customers' simulated phones; empty when all operators are simulated in process. */
const phones = (operators: Gateway['operators'] = []): string =>
  operators
    .map(({ title, url }) => `\n  Phones  ${url}/phone   (${title}, simulated: the real rail over HTTP)`)
    .join('')

/** The link is a secret of the first admin, and of no use once it was used. */
const consoleLines = (admin: ServerSummary['admin'], merchants: ServerSummary['console']): string => {
  const lines = [
    admin && `Console ${admin.url}   (staff: enter as anybody)`,
    merchants && `Console ${merchants.url}   (people of the demo merchant)`,
    admin?.firstAdminLink && `Sign in ${admin.firstAdminLink}   (your own, as the first admin: once)`,
  ]
  return lines.flatMap((line) => (line === undefined ? [] : [`\n  ${line}`])).join('')
}

function sandboxBanner({
  url,
  metricsUrl,
  admin,
  console: merchants,
  role,
  operators,
  config: { databaseUrl, dataDir },
}: ServerSummary): string {
  const { name, keys } = DEMO_MERCHANT
  return `
  Malipo is ready. This is the sandbox: everything is real except the operators and banks, which are simulated.

  API     ${url}
  Docs    ${url}/docs
  Inbox   ${url}/sandbox/inbox   (callbacks to the demo merchant arrive here)${phones(operators)}${metricsUrl === undefined ? '' : `\n  Metrics ${metricsUrl}`}${consoleLines(admin, merchants)}
  Data    ${databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'}

  Demo merchant   ${name}
  public key      ${keys.publicKey}
  secret key      ${keys.secretKey}
  signing key     ${keys.signingKey}
  webhook secret  ${keys.webhookSecret}

  Collect 5,000 UGX by mobile money. Paste this into another terminal, as often as you like:

${collectionLine(url)}

  A second later, see what became of it; put the merchant_reference of the reply in:

${verifyLine(url)}

  A number that ends in 002 fails, 004 is declined: the docs list them all.${role === 'api' ? '\n  This process only accepts: start another one with --role worker to process what it accepted.' : ''} Stop with Ctrl+C.
`
}
