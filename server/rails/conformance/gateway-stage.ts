export interface GatewayStage {
  readonly todo: true
}
