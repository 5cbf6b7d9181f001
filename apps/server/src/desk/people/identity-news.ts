import type { IdentityFaultFound } from '../../i18n/identity-faults.ts'

/** What a person is told about their identity. */
export type IdentityNews =
  | { readonly kind: 'identityVerified' }
  | { readonly kind: 'identityRejected'; readonly faults: readonly IdentityFaultFound[] }
  | { readonly kind: 'identityUnverified'; readonly reason: string }
