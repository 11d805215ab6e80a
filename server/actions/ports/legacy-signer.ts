/** The two signatures of a redirect, and of a callback's legacy headers. */
export interface LegacySigner {
  sign(
    merchantId: bigint,
    text: string,
  ): Promise<{ readonly hmacSignature: string; readonly rsaSignature: string; readonly rsaKeyId: string }>
}
