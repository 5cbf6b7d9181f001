import { mayDo, uploadPublicPicture, viewProof } from '@fairlot/contract/desk'
import { IDENTITY_CASE } from '../../database/identity-schema.ts'
import { isRefusal, refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'

/**
 * Pictures that people have sent, for the roles that judge them: a view is written down before anything is shown. And pictures that
 * operators put up for everybody.
 */
export function registerDeskFiles({ api, acts, traders: { pictures, takeIn } }: DeskServices): void {
  api.file(viewProof, async ({ operator, input: { key } }) => {
    const file = await pictures.find(key)
    // What is in a chat is for the support alone.
    const bytes = file && !file.usedBy?.startsWith('chat:') ? await pictures.bytesOf(file) : null
    if (!file || !bytes) return refuse('fileUnknown')
    const subject = file.usedBy ?? `picture:${key}`
    const seen = { operator, subject, accountId: file.userId, caseKey: file.usedBy }
    // Documents are for fewer eyes than proofs of deposits.
    const act = file.usedBy?.startsWith(IDENTITY_CASE) ? 'viewIdentity' : 'viewProof'
    if (!mayDo(operator.role, act)) {
      await acts.tellRefused({ ...seen, act }, refuse('roleRefused'))
      return refuse('roleRefused')
    }
    const answer = { bytes, type: file.type, name: 'picture.jpg' }
    return acts.note({ ...seen, act, after: { picture: key, sha256: file.sha256 } }, () =>
      Promise.resolve(answer),
    )
  })

  api.upload(uploadPublicPicture, async ({ operator, ...sent }) => {
    const kept = await takeIn(`operator ${operator.id}`, sent, (original) =>
      pictures.keepPublic(operator.id, original),
    )
    if (isRefusal(kept)) return kept
    const subject = `picture:${kept.url}`
    return acts.note({ operator, act: 'uploadPicture', subject }, () => Promise.resolve(kept))
  })
}
