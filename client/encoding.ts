/** Decodes base64, or returns undefined when the text is not base64 with its padding. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Encodes a signature or a key as base64: short enough for spread arguments. */
export const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

/** Decodes pairs of hexadecimal digits; the caller has checked that they are such. */
export const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** The bytes as lower-case hexadecimal digits. */
export const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The DER bytes in a PEM text, or undefined when it has another label or is no PEM. */
export function fromPem(pem: string, label: 'PUBLIC KEY' | 'PRIVATE KEY'): Uint8Array<ArrayBuffer> | undefined {
  const [, base64] =
    new RegExp(`^\\s*-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----\\s*$`).exec(pem) ?? []
  return base64 === undefined ? undefined : fromBase64(base64.replace(/\s/g, ''))
}
