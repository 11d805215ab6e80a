/** Signs messages of a merchant as its callbacks are: the Standard Webhooks headers, with the time of now. */
export type MessageSigner = (
  merchantId: bigint,
) => Promise<(webhookId: string, body: string) => { readonly timestamp: string; readonly signature: string }>
