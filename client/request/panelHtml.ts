/** The HTML of a request panel. Only the page's own script and style can be loaded. */
import * as vscode from 'vscode';

/** View type of the panels, also listed in the activation events in package.json. */
export const PANEL_TYPE = 'toolkit.requests';

/** The folder of the page's files. */
export function pageFolder(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist/media');
}

export function panelHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extension), name)).toString();
  const own = webview.cspSource;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; img-src ${own} data: blob:; media-src data: blob:`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${file('page.css')}" />
    <script type="module" src="${file('page.js')}"></script>
  </head>
  <body>
    <div id="app"></div>
  </body>
</html>`;
}
