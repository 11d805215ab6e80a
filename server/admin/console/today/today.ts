import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { moneyFromWire } from '../../../domain/money.ts'
import type { AdminData } from '../../api/handler.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { barChart, shareBars } from '../look/charts.ts'
import { known } from '../look/known.ts'
import { badge, button, emptyState, facts, money, section, when } from '../look/values.ts'
import { TEXTS } from './texts.ts'

type Today = AdminData<'showToday'>
type Kind = Today['attention'][number]['kind']

/** Where a person sees them, and does something. */
const PLACES: Readonly<Record<Kind, string>> = {
  unknown_outcomes: '/payments?stuck=yes',
  stuck_payments: '/payments?stuck=yes',
  paid_not_booked: '/payments?stuck=yes',
  quarantined_jobs: '/doctor',
  failing_callbacks: '/callbacks?state=retrying',
  unexplained_balances: '/rails',
  open_circuits: '/rails',
  low_floats: '/rails',
  open_exceptions: '/reconciliation',
  on_suspense: '/suspense',
  approvals: '/approvals',
}

/** Below this share of completed payments a provider stands out. */
const LOW_SHARE = 0.8
/** Of fewer payments a share says little. */
const FEW = 20

function attentionOf({ viewer }: Opened, attention: Today['attention']): string {
  const say = viewer.texts(TEXTS)
  if (attention.length === 0) return emptyState({ title: say('nothing'), text: say('nothingText') })
  const lineOf = ({ kind, count, is_more: isMore }: Today['attention'][number]): string =>
    html`<li><a href="${PLACES[kind]}">${say(kind, { count: `${viewer.number(count)}${isMore ? '+' : ''}` })}</a></li>`
  return section(say('attention'), html`<ul class="tasks">!${attention.map(lineOf).join('')}</ul>`)
}

function volumeOf({ viewer }: Opened, volumes: Today['volumes']): string {
  const say = viewer.texts(TEXTS)
  if (volumes.length === 0) return html`<p class="soft">${say('noVolume')}</p>`
  return volumes
    .map(
      (one) =>
        html`<div><p class="soft">${say(one.transaction_type)}</p><p class="figure">!${money(
          viewer,
          moneyFromWire(one.completed_amount, one.currency),
        )}</p><small>${say('ofPayments', { completed: viewer.number(one.completed), payments: viewer.number(one.payments) })}</small></div>`,
    )
    .join('')
}

function todayPage(opened: Opened, { volumes, days, providers, attention }: Today) {
  const { viewer, actor, may } = opened
  const say = viewer.texts(TEXTS)
  const chart = barChart(
    viewer,
    say('days'),
    days.map(({ date, completed, failed }) => ({ day: date, completed, failed })),
  )
  const shares = providers.map(({ provider_code: name, completed, failed }) => ({
    name,
    part: completed,
    whole: completed + failed,
    href: `/payments?provider=${name}`,
    isLow: completed + failed >= FEW && completed < LOW_SHARE * (completed + failed),
  }))
  return {
    title: viewer.say('today'),
    aside: actor.kind === 'staff' && may('doctor') ? button({ href: '/doctor', text: say('check') }) : '',
    content: `${attentionOf(opened, attention)}<div class="columns">${section(say('volume'), volumeOf(opened, volumes))}${section(undefined, chart)}${
      shares.length === 0 ? '' : section(say('success'), shareBars(viewer, shares))
    }</div>`,
  }
}

/** The first page: figures of the day, and what needs a person. */
export function serveToday(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/',
    at: 'today',
    handle: async (opened) => todayPage(opened, await opened.show('showToday')),
  })
}

/** Whether the books hold, for staff. */
export function serveDoctor(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({
    url: '/doctor',
    at: 'today',
    async handle({ viewer, show }) {
      const say = viewer.texts(TEXTS)
      const { clean, checks, warnings, checked_at: checkedAt, since } = await show('runDoctor')
      const list = (items: readonly string[]): string =>
        html`<ul class="list">!${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
      const broken = checks
        .filter(({ found }) => found > 0)
        .map(({ rule, found, examples }) =>
          section(
            known(viewer, rule),
            html`<p>${say('broken', { count: viewer.number(found) })}</p>!${list(examples.map((one) => html`${one}`))}`,
          ),
        )
      const holding = checks.filter(({ found }) => found === 0).map(({ rule }) => html`✓ ${known(viewer, rule)}`)
      return {
        title: say('doctor'),
        heading: html`${say('doctor')} !${badge(say(clean ? 'clean' : 'notClean'), clean ? 'good' : 'bad')}`,
        back: { href: '/', text: viewer.say('today') },
        content: `${section(
          undefined,
          html`<p>${say('doctorText')}</p>!${facts([
            { name: say('checkedAt'), value: when(viewer, new Date(checkedAt)) },
            { name: say('since'), value: since === undefined ? undefined : when(viewer, new Date(since)) },
          ])}`,
        )}${broken.join('')}${
          warnings.length === 0 ? '' : section(say('warnings'), list(warnings.map((one) => html`${one}`)))
        }${section(say('holds'), list(holding))}`,
      }
    },
  })
}
