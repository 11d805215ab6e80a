import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { sendAdminReply } from '../../api/serve-admin-api.ts'
import { amountOf, pageLinks, queryOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps } from '../console-routes.ts'
import { table, type Column } from '../look/table.ts'
import { button, emptyState, section } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { TEXTS } from './texts.ts'

type Total = AdminData<'reportBalances'>['totals'][number]
const PATH = '/reports/balances'

/** What all merchants hold. */
export function serveBalances(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page } = consoleRoutes(app, deps)
  page({
    url: `${PATH}.csv`,
    at: 'reports',
    handle: async ({ reply, stream }) => sendAdminReply(reply, await stream('exportBalances')),
  })
  page({
    url: PATH,
    at: 'reports',
    async handle({ viewer, show, query }) {
      const say = viewer.texts(TEXTS)
      const { items, totals, next } = await show('reportBalances', { query: queryOf(query, ['after']) })
      const parts = PARTS.map((part) => partColumn<Total>(viewer, part))
      const wallet: Column<Total> = { title: say('wallet'), cell: ({ wallet: name }) => html`${say(name)}` }
      const merchant: Column<(typeof items)[number]> = {
        title: say('merchant'),
        cell: ({ merchant_name: name }) => html`${name}`,
      }
      const used = totals.filter((row) => PARTS.some((part) => row[part] !== 0))
      const content =
        used.length === 0
          ? emptyState({ title: say('noMoney'), text: say('noMoneyText') })
          : html`!${section(say('totals'), table({ caption: say('totals'), rows: used, columns: [wallet, ...parts] }))}
!${section(
              say('perMerchant'),
              html`!${table({
                caption: say('perMerchant'),
                rows: items,
                href: ({ merchant_public_key: key }) => `/merchants/${key}`,
                columns: [merchant, { ...wallet, onPhone: 'beside' }, ...parts],
              })}!${pageLinks(viewer, PATH, query, { next, further: say('further') })}`,
            )}`
      return {
        title: say('balances'),
        back: { href: '/reports', text: say('title') },
        aside: button({ href: `${PATH}.csv`, text: say('csv') }),
        content,
      }
    },
  })
}

const PARTS = ['available', 'uncleared', 'reserve', 'held'] as const

const partColumn = <Row extends Total>(viewer: Viewer, part: (typeof PARTS)[number]): Column<Row> => ({
  title: viewer.texts(TEXTS)(part),
  cell: (row) => amountOf(viewer, row[part], row.currency),
  isNumeric: true,
})
