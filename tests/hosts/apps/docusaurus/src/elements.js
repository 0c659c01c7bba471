import ExecutionEnvironment from '@docusaurus/ExecutionEnvironment';

// Pages are written on a server, which has no custom elements.
if (ExecutionEnvironment.canUseDOM) import('webhlo/elements');
