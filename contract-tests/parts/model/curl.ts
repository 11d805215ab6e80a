import type { Draft } from './payment.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A line for a shell that sends a draft again. @param secret what is sent as secret key; absent: none */
export function curlOf(url: string, { type, request, key }: Draft, secret?: string): string {
  const headers = [
    'public-key: $PUBLIC_KEY',
    'x-api-version: 1',
    'content-type: application/json',
    `Idempotency-Key: ${key}`,
    ...(secret === undefined ? [] : [`secret-key: ${secret}`]),
  ]
  return `curl -i ${url}${type === 'COLLECTION' ? '/collections/initialize' : '/payout/send-funds'} ${headers.map((header) => `-H "${header}"`).join(' ')} -d ${quoted(JSON.stringify(request))}`
}
