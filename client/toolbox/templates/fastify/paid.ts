import type { Malipo } from '@malipo/client'
import type { FastifyInstance } from 'fastify'
import { orderOfRedirect } from '../shop/come-back.ts'
import type { Order, OrderBook } from '../shop/orders.ts'
import { html, page, PAGE_HEADERS, type Page } from './html.ts'

/** The page to which customers return. It shows our own records, never what the address says. */
export function servePaid(
  app: FastifyInstance,
  parts: { readonly malipo: Malipo; readonly orders: OrderBook; readonly signingKey: string },
): void {
  app.get('/paid', async ({ url }, reply) => {
    const order = await orderOfRedirect(url, parts)
    return reply
      .code(order ? 200 : 404)
      .headers(PAGE_HEADERS)
      .send(page(order ? PAGES[order.state](order) : UNKNOWN))
  })
}

const again = html`<p><a href="/">Back to the shop</a></p>`

const UNKNOWN: Page = {
  title: 'No such order',
  body: html`<div class="card"><h1>There is no such order</h1><p>This address does not belong to an order of ours.</p>${again}</div>`,
}

const PAGES = {
  paid: ({ reference }) => ({
    title: 'Thank you',
    body: html`<div class="card"><h1>Thank you, your coffee is on its way</h1><p>Order ${reference} is paid.</p>${again}</div>`,
  }),
  failed: ({ reference }) => ({
    title: 'Not paid',
    body: html`<div class="card"><h1>The payment did not go through</h1><p>Order ${reference} was not paid, and nothing was taken.</p>${again}</div>`,
  }),
  waiting: ({ reference }) => ({
    title: 'One moment',
    refreshSeconds: 3,
    body: html`<div class="card"><h1>One moment, please</h1><p role="status">We are waiting for the confirmation of order ${reference}. This page looks again every three seconds.</p></div>`,
  }),
} satisfies Record<Order['state'], (order: Order) => Page>
