import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { amountOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { actionForm } from '../look/form.ts'
import { table } from '../look/table.ts'
import { badge, button, facts, section, timeline, when, type Event } from '../look/values.ts'
import { daysText, lowBadge, stateBadge, type RailAccount } from './list.ts'
import { TEXTS } from './texts.ts'

type Details = AdminData<'showRailAccount'>
type Exchange = AdminData<'listRailExchanges'>['items'][number]

/** What the operator was asked with this page, and how it went. */
interface OperatorReplies {
  readonly checked?: AdminData<'checkRailAccount'>
  readonly balance?: AdminData<'readRailBalance'>
  readonly values?: Readonly<Record<string, string>>
  readonly refused?: { readonly by: 'check' | 'balance'; readonly message: string }
}

const URL = '/rails/:rail_account'
const EXCHANGES_SHOWN = '20'
const railOf = ({ params }: Opened) => ({ rail_account: params['rail_account'] ?? '' })

/** One connection: its state, its money, its settings, and what was exchanged lately. */
export function serveRail(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  page({ url: URL, at: 'rails', handle: (opened) => railPage(opened) })
  form({
    url: `${URL}/check`,
    at: 'rails',
    needs: 'session',
    handle: async (opened, fields) => {
      const account = fields.get('account') ?? ''
      const values = { account }
      const reply = await opened.change('checkRailAccount', {
        params: railOf(opened),
        body: account === '' ? {} : { account },
      })
      if (reply.ok === true) return railPage(opened, { checked: reply.data, values })
      return railPage(opened, { refused: { by: 'check', message: reply.ok === false ? reply.message : '' }, values })
    },
  })
  form({
    url: `${URL}/balance`,
    at: 'rails',
    needs: 'session',
    handle: async (opened) => {
      const reply = await opened.change('readRailBalance', { params: railOf(opened) })
      if (reply.ok === true) return railPage(opened, { balance: reply.data })
      return railPage(opened, { refused: { by: 'balance', message: reply.ok === false ? reply.message : '' } })
    },
  })
}

async function railPage(opened: Opened, replies: OperatorReplies = {}) {
  const { viewer, show, may } = opened
  const say = viewer.texts(TEXTS)
  const [details, { items: exchanges }] = await Promise.all([
    show('showRailAccount', { params: railOf(opened) }),
    show('listRailExchanges', { params: railOf(opened), query: { limit: EXCHANGES_SHOWN } }),
  ])
  const { rail_account: rail } = details
  const aside = [
    button({ href: `/reconciliation?rail_account=${rail.name}`, text: say('seeDifferences') }),
    ...(may('rail set') ? [button({ href: `/rails/${rail.name}/settings`, text: say('change') })] : []),
    ...(may('rail remove') ? [button({ href: `/rails/${rail.name}/remove`, text: say('remove') })] : []),
    ...(may('rail book') ? [button({ href: `/rails/${rail.name}/movement`, text: say('move') })] : []),
  ]
  return {
    title: rail.name,
    heading: html`${rail.name} !${stateBadge(viewer, rail)}`,
    back: { href: '/rails', text: say('title') },
    aside: html`<span class="buttons">!${aside.join('')}</span>`,
    content: html`<div class="columns">!${section(undefined, aboutOf(opened, rail))}!${section(say('floatTitle'), moneyOf(opened, rail, replies))}</div>
!${may('rail check') ? section(say('checkTitle'), checkOf(opened, replies)) : ''}
!${section(say('drift'), driftOf(opened, details))}
!${section(say('exchanges'), exchangesOf(opened, exchanges))}
!${section(say('changes'), changesOf(opened, details))}
!${section(say('settings'), settingsOf(opened, details))}`,
  }
}

function aboutOf({ viewer }: Opened, rail: RailAccount): string {
  const say = viewer.texts(TEXTS)
  const { base_url: address } = rail
  return facts([
    { name: say('kind'), value: html`${rail.title}` },
    {
      name: say('environment'),
      value: badge(say(rail.environment), rail.environment === 'production' ? 'warn' : 'calm'),
    },
    { name: say('currency'), value: html`${rail.currency}` },
    {
      name: say('takes'),
      value: html`${rail.transaction_types.map((type) => say(type)).join(', ') || say('nothing')}`,
    },
    { name: say('downSince'), value: rail.down_since && when(viewer, new Date(rail.down_since)) },
    { name: say('circuitError'), value: rail.circuit_error && html`${rail.circuit_error}` },
    { name: say('nextTry'), value: rail.next_try_at && when(viewer, new Date(rail.next_try_at)) },
    {
      name: say('waiting'),
      value: html`<a class="quiet" href="/payments?status=PENDING&type=PAYOUT">${viewer.number(rail.waiting_payouts ?? 0)}</a>`,
    },
    { name: say('fault'), value: rail.fault && html`${rail.fault}` },
    { name: say('openOrders'), value: viewer.number(BigInt(rail.open_orders)) },
    { name: say('providers'), value: html`${rail.providers.join(', ') || '–'}` },
    {
      name: say('address'),
      value: html`${rail.private_network ? say('privateNetwork', { address }) : address}`,
    },
  ])
}

function moneyOf(
  opened: Opened,
  { name, currency, float }: RailAccount,
  { balance, refused }: OperatorReplies,
): string {
  const { viewer, may } = opened
  const say = viewer.texts(TEXTS)
  const amount = (value: number | undefined) => (value === undefined ? undefined : amountOf(viewer, value, currency))
  const read = balance ?? float
  const shown = read
    ? facts([
        { name: say('operator'), value: amount(read.operator) },
        {
          name: say('available'),
          value:
            float?.available === undefined
              ? undefined
              : html`!${amount(float.available) ?? ''} !${lowBadge(viewer, float)}`,
        },
        { name: say('lowBelow'), value: amount(float?.low_below) },
        { name: say('daysLeft'), value: daysText(viewer, float) || undefined },
        { name: say('opening'), value: amount(balance?.opening) },
        { name: say('ledger'), value: amount(read.ledger) },
        { name: say('difference'), value: amount(read.difference) },
        { name: say('openIn'), value: amount(balance?.open_in) },
        { name: say('openOut'), value: amount(balance?.open_out) },
        { name: say('unexplained'), value: amount(read.unexplained) },
        {
          name: say('readAt'),
          value: balance ? html`${say('justRead')}` : float && when(viewer, new Date(float.read_at)),
        },
      ])
    : html`<p class="soft">${say('noFloat')}</p>`
  if (!may('rail balance')) return shown
  return html`!${shown}!${actionForm(opened, {
    action: `/rails/${name}/balance`,
    willHappen: say('readHappens'),
    submit: say('readNow'),
    ...(refused?.by === 'balance' && { errors: { '': refused.message } }),
  })}`
}

function checkOf(opened: Opened, { checked, values, refused }: OperatorReplies): string {
  const say = opened.viewer.texts(TEXTS)
  const rows = checked
    ? html`<h3>${say('checked')}</h3>!${facts([
        ...checked.checks.map(({ what, ok, detail }) => ({
          name: what,
          value: html`!${badge(say(ok ? 'works' : 'fails'), ok ? 'good' : 'bad')} ${detail}`,
        })),
        { name: say('reportsAt'), value: checked.callback_url && html`${checked.callback_url}` },
      ])}`
    : ''
  return html`!${rows}!${actionForm(opened, {
    action: `/rails/${railOf(opened).rail_account}/check`,
    fields: [{ name: 'account', label: say('account'), isOptional: true, lengthMax: 40, autocomplete: 'off' }],
    willHappen: say('checkHappens'),
    submit: say('checkNow'),
    values,
    ...(refused?.by === 'check' && { errors: { '': refused.message } }),
  })}`
}

function driftOf({ viewer }: Opened, { drift }: Details): string {
  const say = viewer.texts(TEXTS)
  if (drift.length === 0) return html`<p class="soft">${say('noDrift')}</p>`
  return table({
    caption: say('drift'),
    rows: drift,
    columns: [
      { title: say('field'), cell: ({ source, field }) => html`<code>${field}</code> <small>${source}</small>` },
      { title: say('differs'), cell: ({ shape }) => html`${shape}` },
      { title: say('count'), cell: ({ count }) => viewer.number(count), isNumeric: true },
      { title: say('lastSeen'), cell: ({ last_seen_at: at }) => when(viewer, new Date(at)) },
    ],
  })
}

function exchangesOf({ viewer }: Opened, exchanges: readonly Exchange[]): string {
  const say = viewer.texts(TEXTS)
  if (exchanges.length === 0) return html`<p class="soft">${say('noExchanges')}</p>`
  const eventOf = ({ at, purpose, method, path, status, request, reply, error }: Exchange): Event => {
    const end = purpose === 'callback' ? say('unprompted') : String(status ?? say('noAnswer'))
    const bodies = [
      { title: say('sent'), text: request },
      { title: say('got'), text: reply ?? '' },
      { title: say('error'), text: error ?? '' },
    ]
    return {
      at: new Date(at),
      title: `${purpose}: ${method} ${path}`,
      detail: html`${end}`,
      tone: error !== undefined || (status ?? 200) >= 400 ? 'bad' : 'good',
      bodies: bodies.filter(({ text }) => text !== ''),
    }
  }
  return timeline(viewer, exchanges.map(eventOf))
}

function settingsOf({ viewer }: Opened, { settings }: Details): string {
  const say = viewer.texts(TEXTS)
  return table({
    caption: say('settings'),
    rows: settings,
    columns: [
      // A name does not break, as an amount does not.
      { title: say('setting'), cell: (setting) => html`<code class="money">${setting.name}</code>` },
      { title: say('value'), cell: ({ value }) => html`${value}` },
    ],
  })
}

function changesOf({ viewer }: Opened, { changes }: Details): string {
  const say = viewer.texts(TEXTS)
  if (changes.length === 0) return html`<p class="soft">${say('noChanges')}</p>`
  return timeline(
    viewer,
    changes.map(({ at, by, what }) => ({ at: new Date(at), title: by, detail: html`${what}` })),
  )
}
