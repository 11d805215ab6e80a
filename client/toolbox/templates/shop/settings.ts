/**
 * What the shop needs to know. It comes from the environment: keys belong in no file that is committed, except those of
 * the sandbox.
 */
export interface Settings {
  /** Where Malipo is. */
  readonly gatewayUrl: string
  readonly publicKey: string
  readonly secretKey: string
  /** For the signature of the redirect. */
  readonly signingKey: string
  /** For the signature of callbacks and handshakes. */
  readonly webhookSecret: string
  /** Where customers and Malipo find this shop. */
  readonly shopUrl: string
  /** Where orders are kept. */
  readonly ordersFile: string
  /** Opens /dev/effects, for `malipo-dev check`. Never in earnest: it lets anybody make orders. */
  readonly isDevelopment: boolean
}

/** @throws Error that names the variable that is missing */
export const readSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const required = (name: string): string => {
    const value = environment[name]
    if (value) return value
    throw new Error(`${name} is not set; .env.development shows all that are needed`)
  }
  return {
    gatewayUrl: required('MALIPO_URL'),
    publicKey: required('MALIPO_PUBLIC_KEY'),
    secretKey: required('MALIPO_SECRET_KEY'),
    signingKey: required('MALIPO_SIGNING_KEY'),
    webhookSecret: required('MALIPO_WEBHOOK_SECRET'),
    shopUrl: required('SHOP_URL'),
    ordersFile: environment.SHOP_ORDERS_FILE ?? 'orders.sqlite',
    isDevelopment: environment.SHOP_DEVELOPMENT === '1',
  }
}
