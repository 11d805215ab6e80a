import type { FastifyInstance } from 'fastify'
import { FAULTS, PRODUCT, providersOf, startPayment, type CheckOut, type Fault } from '../shop/check-out.ts'
import { html, page, PAGE_HEADERS } from './html.ts'

/** The page where customers order, and the step from there to Malipo's payment page. */
export function serveCheckout(app: FastifyInstance, checkOut: CheckOut): void {
  app.get('/', async (_request, reply) => reply.headers(PAGE_HEADERS).send(await orderPage(checkOut)))

  app.post<{ Body: URLSearchParams }>('/checkout', async ({ body }, reply) => {
    const [provider, phone] = [body.get('provider') ?? '', body.get('phone') ?? '']
    const started = await startPayment(checkOut, provider, phone)
    if ('paymentUrl' in started) return reply.redirect(started.paymentUrl, 303)
    return reply
      .code(422)
      .headers(PAGE_HEADERS)
      .send(await orderPage(checkOut, { ...started, provider, phone }))
  })
}

interface FormValues {
  readonly fault: Fault
  readonly provider: string
  readonly phone: string
}

async function orderPage({ malipo }: CheckOut, given?: FormValues): Promise<string> {
  const providers = await providersOf(malipo)
  const price = `${PRODUCT.currency} ${PRODUCT.amount.toLocaleString('en')}`
  const fault = given ? FAULTS[given.fault] : providers.length === 0 ? FAULTS.later : undefined
  return page({
    title: fault === undefined ? PRODUCT.name : `Not yet: ${PRODUCT.name}`,
    body: html`
    <div class="card">
      <h1>${PRODUCT.name}</h1>
      <p class="price">${price}</p>
      ${fault === undefined ? '' : html`<p class="fault" role="alert" id="fault">${fault}</p>`}
      <form method="post" action="/checkout">
        <label for="provider">Pay with</label>
        <select id="provider" name="provider" required>${providers.map(
          ({ provider_code, provider_name }) =>
            html`<option value="${provider_code}"${provider_code === given?.provider ? html` selected` : ''}>${provider_name}</option>`,
        )}</select>
        <label for="phone">Phone number</label>
        <input id="phone" name="phone" type="tel" autocomplete="tel" inputmode="tel" required maxlength="20" placeholder="256772000123" value="${given?.phone ?? ''}"${
          given?.fault !== 'phone' ? '' : html` aria-invalid="true" aria-describedby="fault"`
        }>
        <button>Pay ${price}</button>
      </form>
      <p class="soft">You approve the payment on the next page. In the sandbox, try MTN Uganda with 256772000123.</p>
    </div>`,
  })
}
