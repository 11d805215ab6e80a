import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { faultsCsv, PAYOUT_TEMPLATE } from '../../../domain/payout-file.ts'
import type { AdminData } from '../../api/handler.ts'
import { amountOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { formErrors } from '../form-errors.ts'
import { actionForm } from '../look/form.ts'
import { table } from '../look/table.ts'
import { button, section } from '../look/values.ts'
import { filledIn } from '../task.ts'
import { TEXTS } from './texts.ts'

const PATH = '/payout-batches'
export const TEMPLATE_URL = `${PATH}/template.csv`
const [NEW, SEND] = [`${PATH}/new`, `${PATH}/send`]
/** The file of the contract in base64, escaped as a form has it. */
const FORM_BYTES_MAX = 8 * 1_048_576
/** The others are in the file of all faults. */
const FAULTS_SHOWN = 50

type Preview = AdminData<'previewPayoutBatch'>
type Errors = Readonly<Record<string, string>>

/** People of a merchant send a file: first they see what would happen. */
export function serveSending(app: FastifyInstance, deps: ConsoleDeps): void {
  const { page, form } = consoleRoutes(app, deps)
  // Asked for before the form is filled in: a file that was chosen is not lost.
  const shared = { at: 'batches', needs: 'recent' } as const
  page({
    url: TEMPLATE_URL,
    at: 'batches',
    handle: async ({ reply }) => csv(reply, 'payouts.csv', PAYOUT_TEMPLATE),
  })
  page({ ...shared, url: NEW, handle: async (opened) => filePage(opened) })
  form({
    ...shared,
    url: NEW,
    bytesMax: FORM_BYTES_MAX,
    async handle(opened, fields) {
      const { change, actor, viewer } = opened
      const content = fields.get('content') ?? ''
      const values = filledIn(fields, 'batch_reference')
      const typed = { batch_reference: values.batch_reference ?? '' }
      if (content === '') return filePage(opened, typed, { content: viewer.texts(TEXTS)('noFile') })
      const body = { content, ...values }
      const previewed = await change('previewPayoutBatch', { params: { merchant: merchantOf(actor) }, body })
      if (previewed.ok !== true)
        return filePage(opened, typed, formErrors(previewed.ok === false ? previewed.message : '', ['batch_reference']))
      return previewPage(opened, previewed.data, content)
    },
  })
  form({
    ...shared,
    url: SEND,
    bytesMax: FORM_BYTES_MAX,
    async handle(opened, fields) {
      const { change, actor, viewer, done, idempotencyKey: key } = opened
      const reference = fields.get('batch_reference') ?? ''
      const sent = await change('sendPayoutBatch', {
        params: { merchant: merchantOf(actor) },
        body: { content: fields.get('content') ?? '', batch_reference: reference },
        key,
      })
      if (sent.ok === false) return filePage(opened, { batch_reference: reference }, { '': sent.message })
      return done(`${PATH}/${reference}`, viewer.texts(TEXTS)('sent', { reference }))
    },
  })
}

const merchantOf = (actor: Opened['actor']): string => (actor.kind === 'merchant' ? String(actor.merchantId) : '')

const csv = (reply: Opened['reply'], name: string, text: string) =>
  reply
    .headers({ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` })
    .send(text)

function filePage(opened: Opened, values: Errors = {}, errors: Errors = {}) {
  const { viewer } = opened
  const say = viewer.texts(TEXTS)
  return {
    title: say('newTitle'),
    back: { href: PATH, text: viewer.say('batches') },
    aside: button({ href: TEMPLATE_URL, text: say('template') }),
    content: section(
      undefined,
      actionForm(opened, {
        action: NEW,
        willHappen: say('willPreview'),
        fields: [
          { name: 'content', label: say('file'), hint: say('fileHint'), type: 'file', accept: '.csv,text/csv' },
          {
            name: 'batch_reference',
            label: say('reference'),
            hint: say('referenceHint'),
            isOptional: true,
            lengthMin: 8,
            lengthMax: 36,
            autocomplete: 'off',
          },
        ],
        values,
        errors,
        submit: say('preview'),
        cancel: PATH,
      }),
    ),
  }
}

function previewPage(opened: Opened, preview: Preview, content: string) {
  const { viewer } = opened
  const say = viewer.texts(TEXTS)
  const { totals, faults, payouts, batch_reference: reference } = preview
  const currencies = totals.filter(({ waits }) => waits).map(({ currency }) => currency)
  const isShort = totals.some(({ amount, charge, available }) => amount + charge > available)
  const count = viewer.number(payouts)
  const sums = `${totals.length === 0 ? '' : totalsTable(opened, totals)}${
    isShort ? html`<p><b>${say('notEnough')}</b></p>` : ''
  }${currencies.length === 0 ? '' : html`<p>${say('waits', { currencies: currencies.join(', ') })}</p>`}`
  return {
    title: say('previewTitle'),
    back: { href: NEW, text: say('newTitle') },
    content:
      faults.length > 0
        ? `${faultsPart(opened, preview)}${section(reference, sums)}`
        : section(
            reference,
            `${sums}${actionForm(opened, {
              action: SEND,
              hidden: { content, batch_reference: reference },
              willHappen: say('willSend', { count }),
              submit: say('send', { count }),
              cancel: PATH,
            })}`,
          ),
  }
}

function totalsTable({ viewer }: Opened, totals: Preview['totals']): string {
  const say = viewer.texts(TEXTS)
  const amounts = (title: string, of: (one: Preview['totals'][number]) => number) => ({
    title,
    cell: (one: Preview['totals'][number]) => amountOf(viewer, of(one), one.currency),
    isNumeric: true,
  })
  return table({
    caption: say('totals'),
    columns: [
      { title: say('currency'), cell: ({ currency }) => html`${currency}` },
      { title: say('payouts'), cell: ({ payouts }) => html`${viewer.number(payouts)}`, isNumeric: true },
      amounts(say('sum'), ({ amount }) => amount),
      amounts(say('charge'), ({ charge }) => charge),
      amounts(say('available'), ({ available }) => available),
    ],
    rows: totals,
  })
}

function faultsPart({ viewer }: Opened, { faults, payouts }: Preview): string {
  const say = viewer.texts(TEXTS)
  const title = say('faulty', { count: viewer.number(faults.length), all: viewer.number(payouts) })
  // A link with the file itself: the gateway keeps no file that it has not accepted.
  const all = `data:text/csv;charset=utf-8,${encodeURIComponent(faultsCsv(faults))}`
  return section(
    title,
    html`<p role="alert">${say('faultyText')}</p>!${table({
      caption: title,
      columns: [
        {
          title: say('line'),
          cell: ({ line }: Preview['faults'][number]) => html`${viewer.number(line)}`,
          onPhone: 'titled',
        },
        { title: say('fault'), cell: ({ message }) => html`${message}` },
      ],
      rows: faults.slice(0, FAULTS_SHOWN),
    })}`,
    html`<a class="button" download="faults.csv" href="${all}">${say('allFaults')}</a>`,
  )
}
