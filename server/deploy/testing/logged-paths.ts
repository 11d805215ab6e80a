import { operatorCallbackPath } from '../../http/operator-callbacks.ts'

const TOKEN = 'Zk3vQ0m2cR7yT1nX'
const ORDER = '1b4e28ba-2fa1-11d2-883f-0016d3cca427'
const REFERENCE = 'MLP0123456789ABCDEFGHJKMNP'

/** Requested paths, and how much of each a log may contain. */
export const SHOWN_PATHS: readonly (readonly [string, string])[] = [
  [operatorCallbackPath('mpesa-kenya', TOKEN, ORDER), '/operators/mpesa-kenya'],
  [`${operatorCallbackPath('mpesa-kenya', TOKEN, ORDER, 'result')}?again=1`, '/operators/mpesa-kenya'],
  [operatorCallbackPath('mpesa-kenya', TOKEN, ORDER).replace('/o', '/%6f'), '/%6fperators/mpesa-kenya'],
  [`/pay/collection/${REFERENCE}`, '/pay/collection'],
  [`/pay/collection/${REFERENCE}/status?lang=sw`, '/pay/collection'],
  ['/collections/initialize', '/collections/initialize'],
  ['/data/wallet-balances?currency=UGX', '/data/wallet-balances'],
  ['/docs', '/docs'],
  [`/docs?back=/pay/collection/${REFERENCE}`, '/docs'],
  [`//pay/collection/${REFERENCE}`, '//pay'],
  ['/', '/'],
]
