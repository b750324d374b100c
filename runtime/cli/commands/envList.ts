/** `toolkit env list`: lists the app's environments. */
import { environmentDocument, formatEnvironments } from '../appDocuments.ts';
import { openEnvironments } from '../appEnvironments.ts';
import { paint } from '../paint.ts';
import type { Handler } from '../session.ts';

export const handle: Handler = async ({ session }) => {
  const { app, environments } = await openEnvironments(session);
  const documents = environments.map(environmentDocument);
  session.result(
    documents,
    documents.length > 0
      ? `${paint.bold(app)}\n${formatEnvironments(documents)}`
      : `The app "${app}" has no environments. "toolkit deploy" creates one.`,
  );
};
