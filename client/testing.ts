// The public surface of @malipo/client/testing: messages that verify, for your own tests, which need keys and never the
// network; and a running sandbox.
export {
  attachSandbox,
  SandboxError,
  type AdvanceOptions,
  type CallbackWait,
  type LoadedScenario,
  type ReceivedCallback,
  type Sandbox,
  type SandboxClock,
  type Scenario,
} from './testing/sandbox.ts'
export { signedCallback, type CallbackInput, type SignedCallback } from './testing/signed-callback.ts'
export { signedHandshake, type HandshakeInput, type SignedHandshake } from './testing/signed-handshake.ts'
export { signedHeaders, type SignedHeadersInput, type WebhookHeaders } from './testing/signed-headers.ts'
export { signedRedirect, type RedirectInput } from './testing/signed-redirect.ts'
export { sampleCallbacks, type CallbackKind, type Overrides } from './testing/sample-callbacks.ts'
