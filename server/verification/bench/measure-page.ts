import type { GatewayProcess } from './gateway-process.ts'
import { median } from './load.ts'
import { API_HEADERS } from './requests.ts'

export interface PageResult {
  /** The page and everything it loads, uncompressed. */
  readonly bytes: number
  readonly firstByteMs: number
}

const VISITS = 200

/** Loads the payment page of a bank collection, as a customer's browser does. */
export async function measurePage({ port }: GatewayProcess): Promise<PageResult> {
  const base = `http://127.0.0.1:${port}`
  const body = JSON.stringify({
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    merchant_reference: 'auto',
    currency: 'NGN',
    amount: 5000,
    description: 'School fees of March',
    redirect_url: 'https://shop.example/done',
  })
  const accepted = await fetch(`${base}/collections/initialize`, {
    method: 'POST',
    headers: { ...API_HEADERS, 'content-type': 'application/json' },
    body,
  })
  const {
    data: { payment_url },
  } = (await accepted.json()) as { data: { payment_url: string } }
  const times: number[] = []
  let html = ''
  for (let visit = 0; visit < VISITS; visit += 1) {
    const startedAt = performance.now()
    const response = await fetch(payment_url)
    times.push(performance.now() - startedAt) // fetch resolves with the headers, before the body
    html = await response.text()
    if (response.status !== 200) throw new Error(`the payment page answered ${response.status}`)
  }
  const loaded = [...html.matchAll(/(?:src|href)="(\/pay\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path)
  const sizes = await Promise.all(
    loaded.map(async (path) => (await (await fetch(base + path)).arrayBuffer()).byteLength),
  )
  return { bytes: Buffer.byteLength(html) + sizes.reduce((sum, size) => sum + size, 0), firstByteMs: median(times) }
}
