import type { Drafts } from './drafts.ts'
import type { PaymentServices } from './payment-services.ts'
import type { Turns } from './turns.ts'

/** What opens cases works with. */
export type CaseServices = PaymentServices & { readonly drafts: Drafts; readonly inTurn: Turns }
