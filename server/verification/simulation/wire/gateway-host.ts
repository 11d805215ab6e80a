/** Where simulated operators report. */
export const GATEWAY_HOST = 'gateway.example'
