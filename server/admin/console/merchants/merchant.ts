import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { moneyFromWire } from '../../../domain/money.ts'
import { supportText } from '../../../domain/brand.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { brandPreview } from '../look/brand.ts'
import { table } from '../look/table.ts'
import { button, copyable, facts, money, section, when } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { stateBadge } from './merchants.ts'
import { MERCHANT_TEXTS } from './texts.ts'
import type { SayMerchant } from './url-fields.ts'

type Merchant = AdminData<'showMerchant'>

/** Everything about one merchant, with what can be done about it. */
export function serveMerchant(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/merchants/:merchant',
    at: 'merchants',
    async handle(opened) {
      const { viewer, params, show } = opened
      const say = viewer.texts(MERCHANT_TEXTS)
      const input = { params: { merchant: params.merchant ?? '' } }
      const merchant = await show('showMerchant', input)
      const wallets = await show('showWallets', input)
      const terms = await show('listTerms', input)
      const base = `/merchants/${merchant.id}`
      const act = actions(opened, base)
      const suspension = merchant.suspended_at === undefined ? 'suspend' : 'resume'
      return {
        title: merchant.name,
        heading: html`${merchant.name} !${stateBadge(say, merchant)}`,
        back: { href: '/merchants', text: say('merchants') },
        aside: act([[`merchant ${suspension}`, suspension, say(suspension)]]),
        content: [
          section(say('facts'), merchantFacts(viewer, merchant), act(placesOf(viewer, merchant))),
          walletsPart(
            viewer,
            wallets,
            act([
              ['wallet deposit', 'deposit', say('deposit')],
              ['wallet transfer', 'transfer', say('transfer')],
            ]),
          ),
          termsPart(
            viewer,
            terms.items,
            act([
              ['merchant limits set', 'limits', say('limits')],
              ['merchant charges set', 'charges', say('charges')],
              ...(terms.items.length > 0
                ? ([
                    ['merchant limits remove', 'limits/remove', say('removeLimits')],
                    ['merchant charges remove', 'charges/remove', say('removeCharges')],
                  ] as const)
                : []),
            ]),
          ),
          urlsPart(viewer, merchant, act([['merchant set', 'urls', say('change')]])),
          brandPart(viewer, merchant, act(brandActions(say))),
        ].join(''),
      }
    },
  })
}

/** Where more of a merchant is shown, by the operations that show it. */
function placesOf(viewer: Viewer, merchant: Merchant) {
  const say = viewer.texts(MERCHANT_TEXTS)
  return [
    ['transaction list', `/payments?merchant=${merchant.id}`, say('payments')],
    ['payout list', 'payout-batches', viewer.say('batches')],
    ['report statement', `/reports/statements?merchant=${merchant.id}`, say('statement')],
    ['people list', `/people?merchant=${merchant.id}`, say('people')],
    ['keys list', 'keys', say('keys')],
    ['merchant set', 'settings', say('change')],
  ] as const
}

/** Buttons of what the role of this person may do: the row of the roles, the path below the merchant, the text. */
export const actions =
  ({ may }: Pick<Opened, 'may'>, base: string) =>
  (all: readonly (readonly [operation: string, path: string, text: string])[]): string =>
    html`<span class="buttons">!${all
      .filter(([operation]) => may(operation))
      .map(([, path, text]) => button({ href: path.startsWith('/') ? path : `${base}/${path}`, text }))
      .join('')}</span>`

/** What identifies a merchant, and what it may use. */
function merchantFacts(viewer: Viewer, merchant: Merchant): string {
  const say = viewer.texts(MERCHANT_TEXTS)
  const { id, public_key, created_at, suspended_at, options } = merchant
  return facts([
    { name: 'ID', value: copyable(viewer, id) },
    { name: say('publicKey'), value: copyable(viewer, public_key) },
    { name: say('created'), value: when(viewer, new Date(created_at)) },
    { name: say('suspended'), value: suspended_at && when(viewer, new Date(suspended_at)) },
    { name: say('MERCHANT_COLLECTION'), value: html`${providersOf(options, 'COLLECTION')}` },
    { name: say('MERCHANT_PAYOUT'), value: html`${providersOf(options, 'PAYOUT')}` },
  ])
}

const providersOf = (options: Merchant['options'], type: string): string =>
  options
    .filter(({ transaction_type }) => transaction_type === type)
    .map(({ provider_code }) => provider_code)
    .join(', ') || '–'

function walletsPart(viewer: Viewer, { wallets, movements }: AdminData<'showWallets'>, aside: string): string {
  const say = viewer.texts(MERCHANT_TEXTS)
  const amount = (value: number, currency: string): string => money(viewer, moneyFromWire(value, currency))
  type Wallet = (typeof wallets)[number]
  /** Nothing for 0, which phones then have no line for. */
  const numeric = (title: string, of: (row: Wallet) => number) => ({
    title,
    cell: (row: Wallet) => (of(row) === 0 ? '' : amount(of(row), row.currency)),
    isNumeric: true,
  })
  const nameOf = (row: Wallet): string => `${say(row.wallet_type)} ${row.currency}`
  const isEmpty = (row: Wallet): boolean => row.actual_balance === 0 && row.held_balance === 0
  const balances = table({
    caption: say('wallets'),
    rows: wallets.filter((row) => !isEmpty(row)),
    columns: [
      { title: say('wallet'), cell: (row) => html`${nameOf(row)}` },
      numeric(say('available'), (row) => row.available_balance),
      numeric(say('uncleared'), (row) => row.uncleared_balance),
      numeric(say('reserve'), (row) => row.reserve_balance),
      numeric(say('held'), (row) => row.held_balance),
    ],
  })
  const latest = table({
    caption: say('movements'),
    rows: movements,
    columns: [
      { title: say('at'), cell: ({ at }) => when(viewer, new Date(at)) },
      { title: say('amount'), cell: (row) => amount(row.amount, row.currency), isNumeric: true },
      { title: say('kind'), cell: ({ kind }) => html`${say(kind)}` },
      {
        title: say('into'),
        cell: ({ into }) => html`${say(into === 'payout' ? 'MERCHANT_PAYOUT' : 'MERCHANT_COLLECTION')}`,
      },
      { title: say('reference'), cell: ({ reference = '' }) => html`${reference}` },
      { title: say('note'), cell: ({ note = '' }) => html`${note}` },
    ],
  })
  return section(
    say('wallets'),
    `${wallets.every(isEmpty) ? '' : balances}${
      wallets.some(isEmpty)
        ? html`<p class="soft">${say('emptyWallets', { names: wallets.filter(isEmpty).map(nameOf).join(', ') })}</p>`
        : ''
    }${movements.length === 0 ? '' : html`<h2>${say('movements')}</h2>!${latest}`}`,
    aside,
  )
}

function termsPart(viewer: Viewer, items: AdminData<'listTerms'>['items'], aside: string): string {
  const say = viewer.texts(MERCHANT_TEXTS)
  type Terms = (typeof items)[number]
  const amount = (title: string, of: (row: Terms) => number | undefined) => ({
    title,
    cell(row: Terms) {
      const value = of(row)
      return value === undefined ? '–' : money(viewer, moneyFromWire(value, row.currency))
    },
    isNumeric: true,
  })
  const own = table({
    caption: say('terms'),
    rows: items,
    columns: [
      { title: say('provider'), cell: (row) => html`${row.provider_code} <small>${row.transaction_type}</small>` },
      amount(say('min'), (row) => row.min_amount),
      amount(say('max'), (row) => row.max_amount),
      amount(say('daily'), (row) => row.max_daily_amount),
      {
        title: say('charge'),
        cell: ({ charge_basis_points: points }) => html`${points === undefined ? '–' : `${points / 100} %`}`,
        isNumeric: true,
      },
      amount(say('flat'), (row) => row.charge_flat),
    ],
  })
  return section(say('terms'), items.length === 0 ? html`<p>${say('noTerms')}</p>` : own, aside)
}

/** Where callbacks go, and whether anything is acknowledged there. */
export function urlsPart(viewer: Viewer, merchant: Merchant, aside: string): string {
  const say = viewer.texts(MERCHANT_TEXTS)
  const url = (text: string | undefined, none: string): string =>
    text === undefined ? html`<span class="soft">${none}</span>` : html`${text}`
  const failing = merchant.callbacks_failing.map(
    ({ url: at, since }) =>
      html`<p class="flash failed">${say('failing', { url: at, at: viewer.moment(new Date(since)) })}</p>`,
  )
  return section(
    say('urls'),
    `${failing.join('')}${facts([
      { name: say('collectionUrl'), value: url(merchant.collection_callback_url, say('noUrl')) },
      { name: say('payoutUrl'), value: url(merchant.payout_callback_url, say('noUrl')) },
      { name: say('refundUrl'), value: url(merchant.refund_callback_url, say('noUrl')) },
      { name: say('verificationUrl'), value: url(merchant.verification_url, say('noVerification')) },
      ...(merchant.batch_handshake ? [{ name: say('batches'), value: html`${say('batchHandshake')}` }] : []),
      { name: say('hosts'), value: url(merchant.redirect_hosts?.join(', '), say('anyHost')) },
    ])}`,
    aside,
  )
}

/** What may be changed of it. */
export const brandActions = (say: SayMerchant) =>
  [
    ['merchant set', 'retries', say('changeRetries')],
    ['merchant brand', 'brand', say('change')],
  ] as const

/** What customers see on the payment page. */
export function brandPart(viewer: Viewer, merchant: Merchant, aside: string): string {
  const say: SayMerchant = viewer.texts(MERCHANT_TEXTS)
  const { brand_colour: colour, support_contact: contact, logo_digest: logo } = merchant
  return section(
    say('brand'),
    `${brandPreview(viewer, merchant)}${facts([
      { name: say('colour'), value: html`${colour ?? say('ownColour')}` },
      { name: say('logo'), value: html`${say(logo === undefined ? 'noLogo' : 'hasLogo')}` },
      { name: say('contact'), value: html`${contact === undefined ? say('noContact') : supportText(contact)}` },
      { name: say('retries'), value: html`${say(merchant.page_retries ? 'retriesYes' : 'retriesNo')}` },
    ])}`,
    aside,
  )
}
