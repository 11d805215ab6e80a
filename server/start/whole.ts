/** Loads all that a gateway loads while it starts, whichever its settings are: for the compile cache. */
export const loadWhole = () =>
  Promise.all([
    import('../admin/api/admin-api.ts'),
    import('../admin/console/admin-app.ts'),
    import('../admin/sign-in/first-admin.ts'),
    import('../admin/sign-in/links.ts'),
    import('../admin/sign-in/oidc.ts'),
    import('../local/sandbox/operators/lead-providers.ts'),
    import('../local/sandbox/phone.ts'),
    import('../local/sandbox/scenarios.ts'),
    import('../local/sandbox/virtual-clock.ts'),
    import('./advance-clock.ts'),
    import('./gateway.ts'),
    import('./sandbox-history.ts'),
    import('./test-receiver.ts'),
  ])
