/**
 * The settings of the shop. They come from the environment: no committed file may contain keys, except those of the
 * sandbox.
 */
export interface Settings {
  /** The URL of Malipo. */
  readonly gatewayUrl: string
  readonly publicKey: string
  readonly secretKey: string
  /** For the signature of the redirect. */
  readonly signingKey: string
  /** For the signature of callbacks and handshakes. */
  readonly webhookSecret: string
  /** The URL of this shop for customers and Malipo. */
  readonly shopUrl: string
  /** Where orders are stored. */
  readonly ordersFile: string
  /** Opens /dev/effects, for `malipo-dev check`. Never in production: it lets anybody create orders. */
  readonly isDevelopment: boolean
}

/** @throws Error that names the missing variable */
export const readSettings = (environment: Readonly<Record<string, string | undefined>> = process.env): Settings => {
  const required = (name: string): string => {
    const value = environment[name]
    if (value) return value
    throw new Error(`${name} is not set; .env.development shows all that are needed`)
  }
  const isDevelopment = environment.SHOP_DEVELOPMENT === '1'
  const ownUrl = `http://127.0.0.1:${environment.PORT ?? '3000'}`
  return {
    gatewayUrl: required('MALIPO_URL'),
    publicKey: required('MALIPO_PUBLIC_KEY'),
    secretKey: required('MALIPO_SECRET_KEY'),
    signingKey: required('MALIPO_SIGNING_KEY'),
    webhookSecret: required('MALIPO_WEBHOOK_SECRET'),
    shopUrl: isDevelopment ? (environment.SHOP_URL ?? ownUrl) : required('SHOP_URL'),
    ordersFile: environment.SHOP_ORDERS_FILE ?? 'orders.sqlite',
    isDevelopment,
  }
}
