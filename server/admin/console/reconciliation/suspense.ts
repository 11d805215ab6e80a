import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { AdminData } from '../../api/handler.ts'
import { amountOf, pageLinks, queryOf } from '../amounts.ts'
import { consoleRoutes, type ConsoleDeps, type Opened } from '../console-routes.ts'
import { pageTexts } from '../look/languages.ts'
import { table } from '../look/table.ts'
import { button, emptyState, statusBadge, when } from '../look/values.ts'
import { serveTask, type Task } from '../task.ts'

type Item = AdminData<'listSuspense'>['items'][number]
const PATH = '/suspense'

/** Money that belongs to customers, until a person gives it back. */
export function serveSuspense(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoutes(app, deps).page({ url: PATH, at: 'reconciliation', handle: listPage })
  serveTask(app, deps, RETURN)
  serveTask(app, deps, TAKE)
}

async function listPage(opened: Opened) {
  const { viewer, show, query, may } = opened
  const say = viewer.texts(TEXTS)
  const { items, next } = await show('listSuspense', { query: queryOf(query, ['after']) })
  const isOnItsWay = ({ return_status: status }: Item): boolean => status !== undefined && status !== 'FAILED'
  const list = table({
    caption: say('title'),
    rows: items,
    columns: [
      {
        title: say('beside'),
        cell: (item) => html`<a href="/payments/${item.collection_reference}">${item.merchant_reference}</a>`,
      },
      {
        title: say('paid'),
        cell: (item) => amountOf(viewer, item.amount, item.currency),
        isNumeric: true,
        onPhone: 'beside',
      },
      { title: say('by'), cell: (item) => html`${item.provider_code} <small>${item.transaction_account}</small>` },
      { title: say('at'), cell: ({ paid_at: at }) => when(viewer, new Date(at)) },
      { title: say('merchant'), cell: ({ merchant_name: name }) => html`${name}` },
      {
        title: say('back'),
        cell: (item) => {
          const { return_reference: reference, return_status: status } = item
          const last =
            reference === undefined || status === undefined
              ? ''
              : html`<a href="/payments/${reference}">!${statusBadge(status)}</a> `
          const way =
            isOnItsWay(item) || !may('suspense return')
              ? ''
              : button({ href: `${PATH}/${item.reference}`, text: say('giveBack') })
          const taking =
            isOnItsWay(item) || !may('suspense take')
              ? ''
              : button({ href: `${PATH}/${item.reference}/take`, text: say('take') })
          return html`!${last}<span class="buttons">!${way}!${taking}</span>`
        },
      },
    ],
  })
  return {
    title: say('title'),
    back: { href: '/reconciliation', text: say('reconciliation') },
    content:
      items.length === 0
        ? emptyState({ title: say('empty'), text: say('emptyText') })
        : html`<p>${say('intro')}</p>!${list}!${pageLinks(viewer, PATH, query, { next, further: say('further') })}`,
  }
}

const RETURN: Task<'returnSuspense'> = {
  url: `${PATH}/:suspense`,
  at: 'reconciliation',
  needs: 'recent',
  operation: 'returnSuspense',
  async form(opened) {
    const { viewer, params, show } = opened
    const say = viewer.texts(TEXTS)
    const { payment } = await show('showPayment', { params: { payment: params['suspense'] ?? '' } })
    const { transaction_account: account, merchant_reference: reference } = payment
    return {
      title: say('giveBackTitle', { reference }),
      back: { href: PATH, text: say('title') },
      willHappen: say('willHappen', { account: account.replace(/^\*+/, '••• ') }),
      asksReason: true,
      submit: say('giveBack'),
    }
  },
  input: (fields, { params }) => ({
    params: { suspense: params['suspense'] ?? '' },
    body: { reason: fields.get('reason')?.trim() ?? '' },
  }),
  done: (opened) => opened.done(PATH, opened.viewer.texts(TEXTS)('onItsWay')),
}

/** What lies on suspense becomes a collection's, here and from the page of an exception. */
const TAKE: Task<'takeSuspense'> = {
  url: `${PATH}/:suspense/take`,
  at: 'reconciliation',
  needs: 'recent',
  operation: 'takeSuspense',
  form: async ({ viewer }) => {
    const say = viewer.texts(TEXTS)
    return {
      title: say('take'),
      back: { href: PATH, text: say('title') },
      willHappen: say('takeHappens'),
      fields: [{ name: 'collection', label: say('collection'), hint: say('collectionHint'), lengthMax: 100 }],
      asksReason: true,
      submit: say('take'),
    }
  },
  input: (fields, { params }) => ({
    params: { suspense: params['suspense'] ?? '' },
    body: { collection: fields.get('collection')?.trim() ?? '', reason: fields.get('reason')?.trim() ?? '' },
  }),
  done: (opened) => opened.done(PATH, opened.viewer.texts(TEXTS)('taken')),
}

const TEXTS = pageTexts({
  en: {
    title: 'On suspense',
    intro:
      'Customers have paid these a second time, too late, or not as was expected. The money lies on the suspense account, in nobody’s wallet, until it is given back, or taken for a collection.',
    empty: 'Nothing is on suspense',
    emptyText: 'When a customer pays a second time, too late, or another amount than was expected, it stands here.',
    paid: 'Paid',
    at: 'At',
    beside: 'Collection',
    further: 'Further payments',
    back: 'Given back',
    giveBack: 'Give back',
    giveBackTitle: 'Give back what was paid for {reference}',
    willHappen:
      'All of it goes back to the account that paid it ({account}). The merchant is not charged, no wallet changes, and the collection stays as it is.',
    onItsWay: 'It is on its way back.',
    takeHappens:
      'The collection is completed by this money: it goes to the merchant’s wallet, less the charge, and the merchant is told. The collection must wait for its customer, or have failed.',
    collection: 'Collection',
    collectionHint: 'Its reference, the merchant’s or ours',
    taken: 'The collection is completed.',
  },
  fr: {
    title: 'Sur le compte d’attente',
    intro:
      'Des clients ont payé ceci une seconde fois, trop tard, ou autrement que prévu. L’argent est sur le compte d’attente, dans le portefeuille de personne, jusqu’à ce qu’il soit rendu, ou pris pour un encaissement.',
    empty: 'Rien n’est sur le compte d’attente',
    emptyText: 'Quand un client paie une seconde fois, trop tard, ou un autre montant que prévu, cela apparaît ici.',
    paid: 'Payé',
    at: 'Le',
    beside: 'Encaissement',
    further: 'Paiements suivants',
    back: 'Rendu',
    giveBack: 'Rendre',
    giveBackTitle: 'Rendre ce qui a été payé pour {reference}',
    willHappen:
      'Tout revient au compte qui a payé ({account}). Le marchand n’est pas débité, aucun portefeuille ne change, et l’encaissement reste tel quel.',
    onItsWay: 'L’argent est en route vers le client.',
    takeHappens:
      'L’encaissement est terminé par cet argent : il va au portefeuille du marchand, moins les frais, et le marchand en est averti. L’encaissement doit attendre son client, ou avoir échoué.',
    collection: 'Encaissement',
    collectionHint: 'Sa référence, celle du marchand ou la nôtre',
    taken: 'L’encaissement est terminé.',
  },
})
