// The public surface of @malipo/client/testing: messages that verify, for your own tests. It needs keys, and never the
// network.
export { signedCallback, type CallbackInput, type SignedCallback } from './testing/signed-callback.ts'
export { signedHandshake, type HandshakeInput, type SignedHandshake } from './testing/signed-handshake.ts'
export { signedHeaders, type SignedHeadersInput, type WebhookHeaders } from './testing/signed-headers.ts'
export { signedRedirect, type RedirectInput } from './testing/signed-redirect.ts'
export { sampleCallbacks, type CallbackKind, type Overrides } from './testing/sample-callbacks.ts'
