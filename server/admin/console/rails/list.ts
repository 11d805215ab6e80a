import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { amountOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { table } from '../look/table.ts'
import { badge, button, emptyState, when, type Tone } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { TEXTS } from './texts.ts'

export type RailAccount = AdminData<'listRailAccounts'>['items'][number]

const TONES = { closed: 'good', open: 'bad', half_open: 'warn' } as const satisfies Record<string, Tone>

/** Whether orders go out, for people. */
export function stateBadge(viewer: Viewer, { circuit, fault }: RailAccount): string {
  const say = viewer.texts(TEXTS)
  if (circuit) return badge(say(circuit), TONES[circuit])
  return fault === undefined ? badge(say('unknown'), 'calm') : badge(say('notConnected'), 'bad')
}

type Float = NonNullable<RailAccount['float']>

/** Whether the float is below what staff have set. */
export const lowBadge = (viewer: Viewer, { available, low_below: low }: Float): string =>
  available !== undefined && low !== undefined && available < low ? badge(viewer.texts(TEXTS)('low'), 'bad') : ''

/** For how many days it lasts, in whole ones. */
export const daysText = (viewer: Viewer, float: Float | undefined): string =>
  float?.days_left === undefined ? '' : viewer.number(Math.floor(float.days_left))

/** All connections to operators. */
export function serveRails(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/rails',
    at: 'rails',
    async handle({ viewer, show, may }) {
      const say = viewer.texts(TEXTS)
      const { items } = await show('listRailAccounts')
      return {
        title: say('title'),
        ...(may('rail add') && { aside: button({ href: '/connect', text: say('add') }) }),
        content: html`<p class="soft">${say('intro')}</p>!${
          items.length === 0 ? emptyState({ title: say('empty'), text: say('emptyText') }) : railTable(viewer, items)
        }`,
      }
    },
  })
}

const railTable = (viewer: Viewer, rows: readonly RailAccount[]): string => {
  const say = viewer.texts(TEXTS)
  return table({
    caption: say('title'),
    rows,
    href: ({ name }) => `/rails/${name}`,
    columns: [
      { title: say('railAccount'), cell: ({ name, title }) => html`${name} <small>${title}</small>` },
      { title: say('state'), cell: (row) => stateBadge(viewer, row), onPhone: 'beside' },
      {
        title: say('float'),
        cell: ({ float, currency }) =>
          float
            ? html`!${amountOf(viewer, float.available ?? float.operator, currency)} !${lowBadge(viewer, float)}`
            : html`<span class="soft">${say('neverRead')}</span>`,
        isNumeric: true,
      },
      {
        title: say('unexplained'),
        cell: ({ float, currency }) => (float ? amountOf(viewer, float.unexplained, currency) : ''),
        isNumeric: true,
      },
      { title: say('daysLeft'), cell: ({ float }) => daysText(viewer, float), isNumeric: true },
      { title: say('waiting'), cell: ({ waiting_payouts: count = 0 }) => viewer.number(count), isNumeric: true },
      { title: say('readAt'), cell: ({ float }) => (float ? when(viewer, new Date(float.read_at)) : '') },
      { title: say('openOrders'), cell: ({ open_orders: count }) => viewer.number(BigInt(count)), isNumeric: true },
      { title: say('providers'), cell: ({ providers }) => html`${providers.join(', ')}` },
    ],
  })
}
