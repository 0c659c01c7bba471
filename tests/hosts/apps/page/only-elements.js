import 'webhlo/elements';
