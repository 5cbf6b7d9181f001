import { previewTerms } from '@fairlot/contract/desk'
import type { Form } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { refusalText, refusedField, request } from '../../live/request.ts'
import type { UntimedDraft } from './terms-review.tsx'

/** Looks at the draft of a form before it is reviewed: whatever is wrong is said at its field, else below the form. */
export function useReview<Values extends object>(form: Form<Values>) {
  const [isBusy, setIsBusy] = useState(false)
  const [reviewed, setReviewed] = useState<UntimedDraft | null>(null)
  const review = async (draft: UntimedDraft): Promise<void> => {
    setIsBusy(true)
    try {
      await request(previewTerms, { ...draft, effect: 'earliest', effectiveAt: null })
      setReviewed(draft)
    } catch (error) {
      const [field, text] = [refusedField(error), refusalText(error) ?? '']
      if (field !== null && field in form.values)
        form.refuse({ [field]: text } as Record<keyof Values, string>)
      else form.refuse({}, text)
    } finally {
      setIsBusy(false)
    }
  }
  return { review, isBusy, reviewed, close: () => setReviewed(null) }
}
