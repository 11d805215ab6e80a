import { startPrism } from '../../driver/prism.ts'
import { startProxy, type WireRequest } from '../../harness/proxy.ts'

interface WorkflowMock {
  readonly url: string
  stop(): Promise<void>
}

/** Workflows that succeed on a stateless mock: no used reference, no wrong OTP, no empty wallet. */
export const MOCKED_WORKFLOWS = [
  'collectByMobileMoney',
  'collectWithOneTimePassword',
  'collectOnPaymentPage',
  'collectByBank',
  'payOutByMobileMoney',
  'payOutToBank',
  'payOutAfterLookups',
  'lookUpNothing',
] as const

/** Prism on a bundle, behind a proxy that requests the example that fits: Prism returns the first one. */
export async function startWorkflowMock(bundle: URL): Promise<WorkflowMock> {
  const prism = await startPrism(bundle)
  const proxy = await startProxy({
    to: prism.baseUrl,
    onRequest: (request) => {
      if (request.path.startsWith(SHOP_PATH)) return { answer: { status: 200, headers: {}, body: Buffer.alloc(0) } }
      const example = exampleFor(request)
      const body = withOurShop(request.body, proxy.url)
      const headers = {
        ...request.headers,
        ...(body.length > 0 && { 'content-length': [String(body.length)] }),
        ...(example !== undefined && { prefer: [`example=${example}`] }),
      }
      return { ...request, headers, body }
    },
  })
  return {
    url: proxy.url,
    stop: async () => {
      await proxy.close()
      await prism.stop()
    },
  }
}

// Prism calls a `redirect_url` itself, and nobody knows what listens on that port of this machine.
const SHOP = 'http://127.0.0.1:3000'
const SHOP_PATH = '/paid'
function withOurShop(body: Buffer, url: string): Buffer {
  return body.includes(SHOP) ? Buffer.from(body.toString('utf8').replaceAll(SHOP, url)) : body
}

/** The name of the example that fits a request; undefined: the first does. */
function exampleFor({ path, body }: WireRequest): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://mock')
  const text = body.toString('utf8')
  const bank = text.includes('"BANK"')
  if (pathname === '/payout/send-funds') return bank ? 'payout_bank_accepted' : 'payout_mobile_money_accepted'
  if (pathname === '/collections/initialize' && bank) return 'collection_bank_accepted'
  if (pathname === '/collections/initialize')
    return text.includes('"mobile_money_hpp":true') ? 'collection_hosted_accepted' : 'collection_mobile_money_accepted'
  if (pathname === '/data/payment-providers')
    return { XYZ: 'providers_none', NGN: 'providers_bank' }[searchParams.get('currency') ?? '']
  if (pathname === '/data/payout-bank-codes')
    return searchParams.get('provider_code') === 'mtn_ug' ? 'banks_none' : 'banks'
  const reference = /^\/data\/transaction\/verify\/(.+)$/.exec(pathname)?.[1]
  if (reference?.startsWith('PAYOUT-')) return 'transaction_payout_completed'
  return reference === undefined ? undefined : BY_REFERENCE[reference]
}

/** No customer pays on the page of a mock. */
const BY_REFERENCE: Readonly<Record<string, string>> = {
  'ORDER-2026-0001': 'transaction_collection_completed',
  'ORDER-2026-0002': 'transaction_collection_pending',
  'ORDER-2026-0003': 'transaction_collection_pending',
}
