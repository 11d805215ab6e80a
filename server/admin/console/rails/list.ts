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
          float ? amountOf(viewer, float.operator, currency) : html`<span class="soft">${say('neverRead')}</span>`,
        isNumeric: true,
      },
      {
        title: say('unexplained'),
        cell: ({ float, currency }) => (float ? amountOf(viewer, float.unexplained, currency) : ''),
        isNumeric: true,
      },
      { title: say('readAt'), cell: ({ float }) => (float ? when(viewer, new Date(float.read_at)) : '') },
      { title: say('openOrders'), cell: ({ open_orders: count }) => viewer.number(BigInt(count)), isNumeric: true },
      { title: say('providers'), cell: ({ providers }) => html`${providers.join(', ')}` },
    ],
  })
}
