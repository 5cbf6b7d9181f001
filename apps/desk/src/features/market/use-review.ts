import { previewTerms } from '@fairlot/contract/desk'
import { useState } from 'react'
import { refusalText, refusedField, request } from '../../live/request.ts'
import type { UntimedDraft } from './terms-review.tsx'

/** What is wrong with a draft: a sentence, and the field that it is about where there is one. */
export type DraftProblem = { readonly field: string | null; readonly text: string }

/** Looks at a draft before it is reviewed: whatever is wrong is said at its field. */
export function useReview() {
  const [isBusy, setIsBusy] = useState(false)
  const [reviewed, setReviewed] = useState<UntimedDraft | null>(null)
  const review = async (draft: UntimedDraft): Promise<DraftProblem | null> => {
    setIsBusy(true)
    try {
      await request(previewTerms, { ...draft, effect: 'earliest', effectiveAt: null })
      setReviewed(draft)
      return null
    } catch (error) {
      return { field: refusedField(error), text: refusalText(error) ?? '' }
    } finally {
      setIsBusy(false)
    }
  }
  return { review, isBusy, reviewed, close: () => setReviewed(null) }
}
