import { html } from 'ghtml'
import type { Parts } from '../parts.ts'
import { railCommand } from '../rail-command.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { Order } from '../world/order.ts'
import { layout, timeText } from './layout.ts'

/** More are in the JSON. */
const SHOWN_MAX = 200

/** What to try first. */
export const startPage = ({ operator, open, world }: Parts, url: string): string =>
  layout({
    title: `${operator.title}, simulated`,
    content: html`<h1>${operator.title}, simulated</h1>
<p>No money moves here, and nothing of this is the operator's own.</p>
<ul><li><a href="/phone">Virtual phones</a>: approve prompts</li>
<li><a href="/simulator/orders">Orders</a>: verdicts, and how often money moved</li>
<li><a href="/simulator/exchanges">Exchanges</a>: requests and replies</li>
<li><a href="/simulator/statement.csv">Statement</a>: what was booked</li>
<li><a href="/simulator/scenarios/schema">Schema of scenarios</a>: faults that you can request</li></ul>
<h2>As a rail of a Malipo that rehearses</h2>
<pre>${railCommand(operator, url)}</pre>
<h2>Credentials</h2>
<dl>!${open.printed.map(({ name, value }) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`).join('')}</dl>
<h2>Accounts</h2>
<dl>!${Object.entries(world.accounts.all())
      .map(([name, balance]) => html`<dt>${name}</dt><dd>${operator.currency} ${balance}</dd>`)
      .join('')}</dl>
<form method="post" action="/simulator/accounts/top-up" class="card"><label for="account">Top up</label>
<select id="account" name="account">!${Object.keys(world.accounts.all())
      .map((name) => html`<option>${name}</option>`)
      .join('')}</select>
<label for="amount">Amount in ${operator.currency}</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required pattern="[0-9]+([.][0-9]{1,4})?">
<button>Top up</button></form>`,
  })

/** Every order, newest first. */
export const ordersPage = (orders: readonly Order[]): string =>
  layout({
    title: 'Orders',
    isLive: true,
    content: html`<h1>Orders</h1>
<p class="soft">${orders.length} in all. Money moved more than once for the same reference would be a double charge.</p>
<div class="wide" tabindex="0" role="region" aria-label="Orders"><table>
<thead><tr><th scope="col">At</th><th scope="col">Amount</th><th scope="col">State</th><th scope="col">Moved</th><th scope="col">Customer</th><th scope="col">Kind</th><th scope="col">Reference</th></tr></thead>
<tbody>!${orders.slice(-SHOWN_MAX).reverse().map(orderRow).join('')}</tbody></table></div>`,
  })

const orderRow = (
  order: Order,
): string => html`<tr><td>${timeText(order.acceptedAt)}</td><td>${order.currency} ${order.amount}</td>
<td>${order.state} ${order.code ?? ''}</td><td>${order.moved}</td><td><a href="/phone/${order.msisdn}">${order.msisdn}</a></td>
<td>${order.kind}</td><td>${order.externalId}<br><span class="soft">${order.id}</span></td></tr>`

/** The exchanges, newest first. */
export const exchangesPage = (exchanges: readonly Exchange[]): string =>
  layout({
    title: 'Exchanges',
    isLive: true,
    content: html`<h1>Exchanges</h1>
<p class="soft">Newest first. Only the beginning of secrets is stored.</p>
!${exchanges.slice(0, SHOWN_MAX).map(exchangeCard).join('')}`,
  })

const exchangeCard = (exchange: Exchange): string => html`<details class="card"><summary>${timeText(exchange.at)}
${exchange.direction === 'in' ? 'received' : 'sent'} ${exchange.method} ${exchange.url} <strong>${exchange.status ?? 'no answer'}</strong>
<span class="soft">${exchange.note ?? ''}</span></summary>
!${exchange.faults.length > 0 ? html`<p class="bad">Violates the contract: ${exchange.faults.join('; ')}</p>` : ''}
<h2>Request</h2><pre>${JSON.stringify(exchange.requestHeaders, null, 2)}</pre><pre>${shown(exchange.requestBody)}</pre>
<h2>Answer</h2><pre>${shown(exchange.responseBody)}</pre></details>`

const shown = (body: unknown): string => {
  if (body === undefined) return '(no body)'
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2)
}
