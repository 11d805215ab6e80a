import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { table } from '../look/table.ts'
import { badge, button, money, section, when } from '../look/values.ts'
import type { Viewer } from '../look/viewer.ts'
import { rsaKeyTable, serveRsaKeys } from './rsa-keys.ts'
import { serveProviderTasks } from './provider-tasks.ts'
import { SETTINGS_TEXTS } from './texts.ts'

type Option = AdminData<'listProviders'>['items'][number]
type Rate = AdminData<'listRates'>['items'][number]

/** What holds for all merchants: providers and exchange rates. */
export function serveSettings(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/settings',
    at: 'settings',
    async handle({ viewer, show, may }) {
      const say = viewer.texts(SETTINGS_TEXTS)
      const options = await show('listProviders')
      const rates = await show('listRates')
      const keys = may('keys rotate') ? await show('listRsaKeys') : undefined
      const [setRate, newKey] = [
        { href: '/settings/rate', text: say('setRate') },
        { href: '/settings/rsa-keys', text: say('newRsaKey') },
      ]
      const addProvider = { href: '/settings/new-provider', text: say('addProvider') }
      return {
        title: say('settings'),
        content: [
          section(
            say('providers'),
            providersPart(viewer, options.items, may),
            may('provider add') ? button(addProvider) : '',
          ),
          section(say('rates'), ratesPart(viewer, rates.items), may('rate set') ? button(setRate) : ''),
          keys ? section(say('rsaKeys'), rsaKeyTable(viewer, keys.items, may('keys withdraw')), button(newKey)) : '',
          section(
            say('rules'),
            html`<p>${say('rulesText')}</p>`,
            button({ href: '/approvals', text: say('toApprovals') }),
          ),
        ].join(''),
      }
    },
  })
  serveProviderTasks(app, deps)
  serveRsaKeys(app, deps)
}

function providersPart(viewer: Viewer, options: readonly Option[], may: Opened['may']): string {
  const say = viewer.texts(SETTINGS_TEXTS)
  if (options.length === 0) return html`<p>${say('noProviders')}</p>`
  const amount = (row: Option, value: number): string => money(viewer, moneyFromWire(value, row.currency))
  return table({
    caption: say('providers'),
    rows: options,
    ...(may('provider set') && {
      href: ({ provider_code: code, transaction_type: type }: Option) => `/settings/providers/${code}/${type}`,
    }),
    columns: [
      {
        title: say('provider'),
        cell: (row) => html`${row.name} <small>${row.provider_code} ${row.transaction_type}</small>`,
      },
      {
        title: say('state'),
        cell: ({ is_active: isOn }) => badge(say(isOn ? 'on' : 'off'), isOn ? 'good' : 'calm'),
        onPhone: 'beside',
      },
      {
        title: say('limits'),
        cell: (row) => html`<span>!${amount(row, row.min_amount)} – !${amount(row, row.max_amount)}</span>`,
        isNumeric: true,
      },
      { title: say('daily'), cell: (row) => amount(row, row.max_daily_amount), isNumeric: true, onPhone: 'hidden' },
      {
        title: say('charge'),
        cell: (row) =>
          html`<span>${row.charge_basis_points / 100} %!${row.charge_flat > 0 ? html` + !${amount(row, row.charge_flat)}` : ''}</span>`,
        isNumeric: true,
      },
      {
        title: say('clearing'),
        cell: ({ clearing_delay_seconds: seconds }) =>
          html`<span class="money">${seconds === 0 ? say('atOnce') : say('after', { seconds: viewer.number(seconds) })}</span>`,
        onPhone: 'hidden',
      },
      { title: say('rail'), cell: ({ rail_account: rail }) => html`${rail ?? say('noRail')}`, onPhone: 'hidden' },
    ],
  })
}

function ratesPart(viewer: Viewer, rates: readonly Rate[]): string {
  const say = viewer.texts(SETTINGS_TEXTS)
  if (rates.length === 0) return html`<p>${say('noRates')}</p>`
  return table({
    caption: say('rates'),
    rows: rates,
    columns: [
      { title: say('rate'), cell: ({ from, to, rate }) => html`1 ${from} = ${rate} ${to}` },
      { title: say('at'), cell: ({ updated_at: at }) => when(viewer, new Date(at)) },
    ],
  })
}
